// The page's libraries are as their packages were published.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace baton {
namespace {

const std::string kThirdParty = BATON_THIRD_PARTY;

std::string FileText(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string Sha512(const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EXPECT_EQ(EVP_Digest(text.data(), text.size(), digest, &length, EVP_sha512(), nullptr), 1);
  std::string hex;
  char two[3];
  for (unsigned i = 0; i < length; ++i) {
    std::snprintf(two, sizeof two, "%02x", digest[i]);
    hex += two;
  }
  return hex;
}

TEST(PageLibraries, AreTheFilesThatSourcesNames) {
  const auto sources = nlohmann::json::parse(FileText(kThirdParty + "/SOURCES.json"));
  std::set<std::string> named{"SOURCES.json"};
  for (const auto& source : sources) {
    const std::string file = source["file"];
    named.insert(file);
    EXPECT_EQ(Sha512(FileText(kThirdParty + "/" + file)), source["sha512"])
        << file << " of " << source["package"] << ": ./dev web vendor";
    EXPECT_FALSE(source["version"].get<std::string>().empty()) << file;
  }
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kThirdParty)) {
    if (entry.is_regular_file()) there.insert(std::filesystem::relative(entry.path(), kThirdParty));
  }
  EXPECT_EQ(there, named);
}

}  // namespace
}  // namespace baton
