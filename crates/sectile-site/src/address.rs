//! Which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The blocks of IANA's registry of special purposes, and those of no host, with their lengths.
const SPECIAL_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::UNSPECIFIED, 8),           // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // shared by the customers of a provider
    (Ipv4Addr::new(127, 0, 0, 0), 8),     // loopback
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // link-local, and where clouds keep their credentials
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // documentation
    (Ipv4Addr::new(192, 31, 196, 0), 24), // AS112
    (Ipv4Addr::new(192, 52, 193, 0), 24), // multicast tunnels
    (Ipv4Addr::new(192, 88, 99, 0), 24),  // relays of 6to4
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // private
    (Ipv4Addr::new(192, 175, 48, 0), 24), // AS112
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation
];

/// The first address of what is multicast, reserved or broadcast.
const FIRST_RESERVED_V4: u8 = 224;

/// The only block of IPv6 that hosts of the internet have addresses in.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// What in it has a special purpose.
const SPECIAL_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48), // AS112
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// The blocks that wrap addresses of version 4, and how many bits stand before those.
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
const SIX_TO_FOUR: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// Returns whether an address belongs to the public internet: not to this machine or its network,
/// not to a reserved range, and not to a range that embeds such an address.
///
/// ```
/// use sectile_site::is_public;
///
/// assert!(is_public("8.8.8.8".parse()?));
/// assert!(!is_public("169.254.169.254".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_in = |&(block, length): &(Ipv4Addr, u32)| {
        (address.to_bits() ^ block.to_bits()) >> (32 - length) == 0
    };
    address.octets()[0] < FIRST_RESERVED_V4 && !SPECIAL_V4.iter().any(is_in)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(wrapped) = wrapped(address, NAT64).or_else(|| wrapped(address, SIX_TO_FOUR)) {
        return is_public_v4(wrapped);
    }
    is_in(address, GLOBAL_V6) && !SPECIAL_V6.iter().any(|&block| is_in(address, block))
}

fn is_in(address: Ipv6Addr, (block, length): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ block.to_bits()) >> (128 - length) == 0
}

/// Returns the address of version 4 that follows on the bits of a block.
fn wrapped(address: Ipv6Addr, block: (Ipv6Addr, u32)) -> Option<Ipv4Addr> {
    let after = 128 - block.1 - 32;
    is_in(address, block).then(|| Ipv4Addr::from_bits((address.to_bits() >> after) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_range_is_refused_from_its_first_to_its_last_address() {
        let special = [
            "0.0.0.0 0.255.255.255",
            "10.0.0.0 10.255.255.255",
            "100.64.0.0 100.127.255.255",
            "127.0.0.0 127.255.255.255",
            "169.254.0.0 169.254.255.255",
            "172.16.0.0 172.31.255.255",
            "192.0.0.0 192.0.0.255",
            "192.0.2.0 192.0.2.255",
            "192.31.196.0 192.31.196.255",
            "192.52.193.0 192.52.193.255",
            "192.88.99.0 192.88.99.255",
            "192.168.0.0 192.168.255.255",
            "192.175.48.0 192.175.48.255",
            "198.18.0.0 198.19.255.255",
            "198.51.100.0 198.51.100.255",
            "203.0.113.0 203.0.113.255",
            "224.0.0.0 239.255.255.255",
            "240.0.0.0 255.255.255.255",
            ":: ::1",
            "::7f00:1 ::ffff:ffff",
            "::ffff:0:0 ::ffff:255.255.255.255",
            "64:ff9b::127.0.0.1 64:ff9b::10.255.255.255",
            "64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
            "100:: 100::ffff:ffff:ffff:ffff",
            "2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:2:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            "2002:7f00:1:: 2002:7fff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2002:a9fe:a9fe:: 2002:c0a8:101::1",
            "2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
            "3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
            "5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ];
        for address in special.iter().flat_map(|range| range.split(' ')) {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn what_borders_on_them_is_public() {
        let public = [
            "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0",
            "169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0",
            "192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255",
            "203.0.112.255 203.0.114.0 223.255.255.255 64:ff9b::8.8.8.8 2002:808:808::1",
            "2001:200:: 2001:4860:4860::8888 2606:4700::1111 2a00:: 3ffe::",
        ];
        for address in public.iter().flat_map(|range| range.split(' ')) {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
