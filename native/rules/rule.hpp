// What a rule is asked, and what it is told. A rule is a struct with
//   required(scalars)           the margin below which an example is a violator
//   tau(scalars)                the coefficient of the correction, asked for violators only; a rule
//                               that does more than add answers a whole Change
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
    double variance = 0;    // <x, S x> of a rule with a covariance S
};

// What a correction does. Which of the numbers count depends on the rule's kind:
//   additive        w <- shrink * w + tau * y * x
//   covariance      w <- w + tau * y * S x;   S <- S - beta * S x x' S   (covariance.hpp)
//   multiplicative  w_j <- w_j * tau^(x_j)                               (multiplicative.hpp)
struct Change {
    double tau = 0;
    double shrink = 1;
    double beta = 0;
};

enum class Kind { additive, covariance, multiplicative };

// What the loop must keep or compute for a rule; said once, read before the loop.
struct Needs {
    bool sqnorm = false;  // then a row of zeros never corrects: nothing divides by 0
    bool wsq = false;
    bool example = false;            // n_i or alpha_i
    bool changing_required = false;  // `required` is to be asked anew for each example
    bool steady = false;             // no: it depends on step and wsq, and changes at corrections
    bool by_target = false;          // no: it depends on y alone
    bool shrinks = false;            // Change::shrink may differ from 1
    Kind kind = Kind::additive;
    bool linked = false;  // w = 2 sinh(theta), and corrections add to theta
    // Of rules with a covariance S:
    bool variance = false;  // `required` asks for it, and does not fall as it grows
    bool full = false;      // S is a matrix, where otherwise its diagonal alone is kept
    bool apart = false;     // each part of S that is kept is corrected as if it were alone
    double start = 1;       // S = start * I at the start

    // Whether corrections add rows to the weights, and do nothing else.
    bool only_adds() const { return kind == Kind::additive && !linked && !shrinks; }
};

class Schedule;

class Rule {
  public:
    virtual ~Rule() = default;
    virtual double required(const Scalars &scalars) const = 0;
    virtual Change change(const Scalars &scalars) const = 0;
    virtual bool equality_violates() const = 0;
    virtual Needs needs() const = 0;
    virtual bool is_python() const { return false; }
    // What it is made of, for the collector of cycles.
    virtual const Rule *inner() const { return nullptr; }
    virtual const Schedule *schedule() const { return nullptr; }
    // The rule without its noise guards: what a verification at fixed weights asks.
    virtual const Rule &unguarded() const { return *this; }
};

using Parameters = std::map<std::string, double>;

// Makes the compiled rule of that name, or null where there is none.
std::shared_ptr<Rule> make_rule(const std::string &name, const Parameters &parameters);

}  // namespace hardlimit
