// What one page looks at: each kind of view says what has to be sent for it.
#pragma once

#include <memory>
#include <string>

#include "tools/web/live/viewer.h"

namespace baton::web {

class View {
 public:
  virtual ~View() = default;
  // Called up to four times a second. `whole`: everything, as the page has nothing, or has missed something.
  virtual void Show(Viewer& viewer, bool whole) = 0;
};

}  // namespace baton::web
