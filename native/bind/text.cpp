#include "bind/parts.hpp"

namespace hardlimit {

void bind_text(nanobind::module_ &) {}

}  // namespace hardlimit
