// The hot loops that are not templates are compiled here.
#include "portability.hpp"
