#include "tools/router/link/mailbox.h"

#include <sys/eventfd.h>

#include "orchestrator/base/check.h"

namespace baton::router {

Mailbox::Mailbox() : wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) { CHECK(wake_.valid()); }

void Mailbox::Post(Letter letter) {
  const std::lock_guard lock(mutex_);
  letters_.push_back(std::move(letter));
  CHECK(eventfd_write(wake_.get(), 1) == 0);
}

std::vector<Letter> Mailbox::TakeAll() {
  const std::lock_guard lock(mutex_);
  eventfd_t ignored = 0;
  eventfd_read(wake_.get(), &ignored);
  return std::exchange(letters_, {});
}

}  // namespace baton::router
