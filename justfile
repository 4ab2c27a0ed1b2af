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

# Runs the benches, on real texts where SECTILE_CORPUS names a folder of them.
bench *ARGUMENTS:
    cargo bench --package sectile-benches {{ ARGUMENTS }}

# Runs everything that a change has to pass.
ci:
    .ci/run
