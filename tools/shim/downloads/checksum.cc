#include "tools/shim/downloads/checksum.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <boost/algorithm/hex.hpp>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "orchestrator/base/unique_fd.h"

namespace baton::shim {

struct Checksum::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Result<Checksum> Checksum::Of(const std::string& algorithm) {
  const EVP_MD* kind = algorithm == "md5"      ? EVP_md5()
                       : algorithm == "sha1"   ? EVP_sha1()
                       : algorithm == "sha256" ? EVP_sha256()
                                               : nullptr;
  if (kind == nullptr) {
    return Error{ErrorKind::kInvalidArgument, "checksum algorithm " + algorithm + " is none of md5, sha1, sha256", {}};
  }
  auto context = std::make_shared<Context>();
  CHECK(EVP_DigestInit_ex(context->digest.get(), kind, nullptr) == 1);
  return Checksum(std::move(context));
}

void Checksum::Add(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(context_->digest.get(), bytes.data(), bytes.size()) == 1);
}

std::string Checksum::Hex() {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  CHECK(EVP_DigestFinal_ex(context_->digest.get(), bytes, &size) == 1);
  std::string hex;
  boost::algorithm::hex_lower(bytes, bytes + size, std::back_inserter(hex));
  return hex;
}

Result<std::string> ChecksumOfFile(const std::string& path, const std::string& algorithm) {
  Result<Checksum> sum = Checksum::Of(algorithm);
  if (!sum) return sum.error();
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char piece[65536];
  for (;;) {
    const ssize_t count = file.valid() ? read(file.get(), piece, sizeof piece) : -1;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{ErrorKind::kInternal, "cannot read " + path + ": " + std::strerror(errno), {}};
    if (count == 0) return sum->Hex();
    sum->Add({piece, static_cast<std::size_t>(count)});
  }
}

}  // namespace baton::shim
