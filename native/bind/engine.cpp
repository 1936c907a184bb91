#include "bind/parts.hpp"
#include "bind/rows_handle.hpp"

namespace hardlimit {

void bind_engine(nb::module_ &module) {
    bind_rows(module);
    bind_scaling(module);
    bind_rules(module);
    bind_votes(module);
    bind_online(module);
    bind_packed(module);
    bind_mixing(module);
    bind_products(module);
    bind_dual(module);
    bind_budgets(module);
    bind_finders(module);
}

}  // namespace hardlimit
