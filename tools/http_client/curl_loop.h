// Many transfers of libcurl at once, in one thread of their own.
#pragma once

#include <curl/curl.h>

#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace baton {

// One question, and what it needs while it is under way. The loop's thread calls it, and must not be kept waiting.
class CurlTransfer {
 public:
  virtual ~CurlTransfer() = default;
  // Says what is asked, and for how long. `easy` stays the loop's.
  virtual void Begin(CURL* easy) = 0;
  // Once, when there is an answer or none will come.
  virtual void End(CURL* easy, CURLcode code) = 0;
};

class CurlLoop {
 public:
  // Connections at a time. 0: as many as there are transfers.
  struct Limits {
    long total = 0;
    long host = 0;
  };

  explicit CurlLoop(Limits limits);
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;
  ~CurlLoop();

  // From any thread. Each transfer has a connection of its own, by no proxy, and gets no signals.
  void Add(std::unique_ptr<CurlTransfer> transfer);
  // Waits for none: no transfer's End is called any more. Again does nothing; not from two threads at a time.
  void Stop();

 private:
  struct UnderWay {
    std::unique_ptr<CurlTransfer> transfer;
    std::unique_ptr<CURL, void (*)(CURL*)> easy;  // goes first: it uses the transfer
  };

  void Run(const std::stop_token& stopped);
  void BeginAdded();
  void EndDone();

  CURLM* const multi_;
  std::mutex mutex_;  // guards added_
  std::vector<std::unique_ptr<CurlTransfer>> added_;
  std::map<CURL*, UnderWay> under_way_;  // the thread's
  std::jthread thread_;                  // the last: it uses the others
};

}  // namespace baton
