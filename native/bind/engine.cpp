#include "bind/parts.hpp"

namespace hardlimit {

void bind_engine(nanobind::module_ &) {}

}  // namespace hardlimit
