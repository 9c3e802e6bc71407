#include "schema/control.h"

#include "embedded_control.h"

namespace baton {

std::string_view ControlScript() { return control::Files()[0].text; }

}  // namespace baton
