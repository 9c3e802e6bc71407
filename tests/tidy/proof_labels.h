// `./dev prove` picks tests by labels: a suite that is renamed or added stays in its proof.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace baton::tidy {

// The labels that a CMakeLists.txt gives: `baton_proof(leader server_pgtest ...)`.
std::set<std::string> ProofsGiven(const std::string& cmake);
// Those that a script of tests/prove runs.
std::set<std::string> ProofsRun(const std::string& script);
// Lines of such a script that pick tests by names of suites, each as "path:line: what".
std::vector<std::string> CheckProof(const std::string& path, const std::string& script);

}  // namespace baton::tidy
