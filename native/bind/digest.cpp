#include "bind/parts.hpp"

namespace hardlimit {

void bind_digest(nanobind::module_ &) {}

}  // namespace hardlimit
