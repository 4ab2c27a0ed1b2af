# `just` lists the verbs. Each runs the same commands as the continuous integration.

_list:
    @just --list --unsorted

# Formats every file.
fmt:
    cargo fmt --all

# Checks format, lints, docs and licences.
check:
    .ci/run fmt deny clippy docs

# Runs every test.
test:
    .ci/run test

# Runs what takes minutes: kills, crashes and a pooler, on both engines.
torture *ARGUMENTS:
    scripts/torture {{ ARGUMENTS }}

# Runs the tests on Postgres.
test-postgres:
    scripts/test --package sectile-checkpoint-postgres --package sectile-checkpoint-torture

# Runs the benches, on real texts where SECTILE_CORPUS names a folder of them.
bench *ARGUMENTS:
    cargo bench --package sectile-benches {{ ARGUMENTS }}

# Measures the splitters or the loaders beside those of others, on the files of some folders.
compare WHAT *ARGUMENTS:
    scripts/compare-{{ WHAT }} {{ ARGUMENTS }}

# Fuzzes a target for some minutes; needs cargo-fuzz and a nightly toolchain.
fuzz TARGET MINUTES="10":
    mkdir -p fuzz/corpus/{{ TARGET }}
    cd fuzz && cargo +nightly fuzz run --sanitizer none {{ TARGET }} corpus/{{ TARGET }} seeds-chunking seeds-loading -- \
        -max_total_time=$(({{ MINUTES }} * 60)) -max_len=2048 -timeout=20

# Runs everything that a change has to pass.
ci:
    .ci/run
