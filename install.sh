#!/bin/sh
# Installs the program `sectile` of the newest release, or of the one that is named.
#
#   curl -LsSf https://github.com/sectile/sectile/releases/latest/download/install.sh | sh
#   sh install.sh [VERSION]
#
# SECTILE_INSTALL_DIR is where it goes, ~/.local/bin unless set; SECTILE_DOWNLOADS is an address, or a folder's as
# file://…, to download from in place of the releases.
set -eu

main() {
    version=${1:-}
    folder=${SECTILE_INSTALL_DIR:-$HOME/.local/bin}
    releases=https://github.com/sectile/sectile/releases
    target=$(this_target)
    need curl
    need tar
    if [ -z "$version" ]; then
        version=$(newest_version)
    fi
    downloads=${SECTILE_DOWNLOADS:-$releases/download/v$version}
    name=sectile-cli-$target-v$version

    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
    for file in "$name.tgz" "$name.tgz.sha256"; do
        curl -LsSf "$downloads/$file" -o "$temporary/$file" || fail "cannot download $downloads/$file"
    done
    (cd "$temporary" && check "$name.tgz.sha256") || fail "$name.tgz is not what was released; try again"
    tar -xzf "$temporary/$name.tgz" -C "$temporary"
    mkdir -p "$folder"
    # A program that runs is replaced, not written over.
    mv "$temporary/$name/sectile" "$folder/.sectile.new"
    mv "$folder/.sectile.new" "$folder/sectile"
    echo "$("$folder/sectile" --version) is installed in $folder"
    case ":$PATH:" in
        *":$folder:"*) ;;
        *) echo "add $folder to your PATH to call it \`sectile\`" ;;
    esac
}

this_target() {
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) echo x86_64-unknown-linux-musl ;;
        Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-musl ;;
        Darwin-x86_64) echo x86_64-apple-darwin ;;
        Darwin-arm64) echo aarch64-apple-darwin ;;
        *) fail "there is no program for $(uname -s) on $(uname -m); \`cargo install sectile-cli\` builds one" ;;
    esac
}

# The address of the newest release ends with its version.
newest_version() {
    address=$(curl -LsSf -o /dev/null -w '%{url_effective}' "$releases/latest") || fail "cannot reach $releases"
    echo "${address##*/v}"
}

check() {
    if command -v sha256sum >/dev/null; then
        sha256sum --check --status "$1"
    else
        shasum -a 256 --check --status "$1"
    fi
}

need() {
    command -v "$1" >/dev/null || fail "this needs \`$1\`"
}

fail() {
    echo "error: $1" >&2
    exit 1
}

main "$@"
