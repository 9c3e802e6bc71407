# shellcheck shell=bash disable=SC2154
# What several proofs need; `./dev` has said `say`, `die`, `build`, `need_packages`, `root` and `jobs`.

# older_batond COMMIT DIR: batond as it was, from its own commit; kept between runs.
older_batond() {
  local commit=$1 dir=$root/$2
  if [ ! -x "$dir/build/bin/batond" ]; then
    git cat-file -e "$commit^{commit}" 2>/dev/null || die "the commit $commit is not in this clone: fetch its whole history"
    rm -rf "$dir" && mkdir -p "$dir" && git archive "$commit" | tar -x -C "$dir"
    cmake -S "$dir" -B "$dir/build" -G Ninja >/dev/null && ninja -j "$jobs" -C "$dir/build" batond >/dev/null
  fi
  printf '%s\n' "$dir/build/bin/batond"
}

# tests_of PROGRAM PROOF [options...]: the program with its tests of this label (baton_proof in its CMakeLists.txt), and what they print.
tests_of() {
  local program=$1 label=prove-$2 names; shift 2
  # As ctest lists them: "  Test #7: Leaders.OneThatIsKilled", with what a parameter is behind it. What it runs in one process is "Suite.*".
  names=$(cd build && ctest -N -L "^$label\$" | sed -nE 's/^ *Test +#[0-9]+: ([^ ]+).*/\1/p' | paste -sd:)
  [[ $names ]] || die "no test has the label $label: baton_proof in the CMakeLists.txt of $program"
  "build/bin/$program" --gtest_filter="$names" "$@"
}

# passed LOG RUNS: that many runs of test programs came to their end, and none failed. `! grep` would stop nothing here:
# what is inverted does not end a script under `set -e`.
passed() {
  [[ $(grep -c '  PASSED  ' "$1") == "$2" ]] || die "not all of the tests came to their end: $1"
  if grep -q 'FAILED' "$1"; then die "tests failed: $1"; fi
}
