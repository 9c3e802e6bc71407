// OpenSSL's objects, freed with their owner. Of the sources beside it.
#pragma once

#include <openssl/bio.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace baton::tls {

template <auto free>
struct FreedBy {
  template <class T>
  void operator()(T* object) const {
    free(object);
  }
};
template <class T, auto free>
using Owned = std::unique_ptr<T, FreedBy<free>>;

// The certificates in it belong to others.
inline void FreeStack(STACK_OF(X509) * stack) { sk_X509_free(stack); }

// What was written to a BIO in memory.
inline std::string TextOf(BIO* memory) {
  char* begin = nullptr;
  const long length = BIO_get_mem_data(memory, &begin);
  return {begin, static_cast<std::size_t>(length)};
}

}  // namespace baton::tls
