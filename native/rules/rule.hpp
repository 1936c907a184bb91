// What a rule is asked, and what it is told. A rule is a struct with
//   required(scalars)           the margin below which an example is a violator
//   tau(scalars)                the coefficient of the correction, asked for violators only
//   equality_violates           whether margin == required is a violation
// and stands behind a pointer, so that one loop serves all of them.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace hardlimit {

struct Scalars {
    double margin = 0;      // y * <w, x>, bias included
    double sqnorm = 0;      // <x, x>, bias included
    std::int64_t step = 1;  // corrections made, this one included
    double wsq = 0;         // <w, w>, for rules that ask
    double weight = 1;      // the example's weight
    double y = 1;           // the target
    std::int64_t n_i = 0;   // corrections made by this example before, for rules that ask
    double alpha_i = 0;     // the sum of their tau, for rules that ask
};

// What the loop must keep or compute for a rule; said once, read before the loop.
struct Needs {
    bool sqnorm = false;  // then a row of zeros never corrects: nothing divides by 0
    bool wsq = false;
    bool example = false;            // n_i or alpha_i
    bool changing_required = false;  // `required` is to be asked anew for each example
};

class Rule {
  public:
    virtual ~Rule() = default;
    virtual double required(const Scalars &scalars) const = 0;
    virtual double tau(const Scalars &scalars) const = 0;
    virtual bool equality_violates() const = 0;
    virtual Needs needs() const = 0;
    virtual bool is_python() const { return false; }
};

using Parameters = std::map<std::string, double>;

// Makes the compiled rule of that name, or null where there is none.
std::shared_ptr<Rule> make_rule(const std::string &name, const Parameters &parameters);

}  // namespace hardlimit
