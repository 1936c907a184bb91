// Schedules as the loops see them: eta multiplies the tau of every correction. Each is a twin of
// the Python class of its name; a contract test compares them.
#pragma once
#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "numeric/power.hpp"
#include "rules/rule.hpp"

namespace hardlimit {

class Schedule {
  public:
    virtual ~Schedule() = default;
    virtual double eta(const Scalars &scalars, double required) const = 0;
    virtual bool asks_sqnorm() const { return false; }
    virtual bool is_python() const { return false; }
};

class ConstantSchedule final : public Schedule {
  public:
    explicit ConstantSchedule(const Parameters &parameters) : eta_(parameters.at("value")) {}
    double eta(const Scalars &, double) const override { return eta_; }

  private:
    double eta_;
};

// step^-exponent; the exponents 0, 1/2 and 1 by one operation each, which rounds but once.
class PowerSchedule final : public Schedule {
  public:
    explicit PowerSchedule(const Parameters &parameters) : exponent_(parameters.at("exponent")) {}
    double eta(const Scalars &s, double) const override {
        const auto step = static_cast<double>(s.step);
        if (exponent_ == 0) return 1;
        if (exponent_ == 0.5) return 1 / std::sqrt(step);
        if (exponent_ == 1) return 1 / step;
        return positive_power(step, -exponent_);
    }

  private:
    double exponent_;
};

class InverseSchedule final : public Schedule {
  public:
    explicit InverseSchedule(const Parameters &parameters)
        : a_(parameters.at("a")), b_(parameters.at("b")) {}
    double eta(const Scalars &s, double) const override {
        return 1 / (a_ + static_cast<double>(s.step) / b_);
    }

  private:
    double a_, b_;
};

// The step that brings the margin to what is required; for rules whose own tau is 1.
class ProjectionSchedule final : public Schedule {
  public:
    explicit ProjectionSchedule(const Parameters &) {}
    double eta(const Scalars &s, double required) const override {
        return (required - s.margin) / s.sqnorm;
    }
    bool asks_sqnorm() const override { return true; }
};

// Makes the compiled schedule of that name, or null where there is none.
inline std::shared_ptr<Schedule> make_schedule(const std::string &name,
                                               const Parameters &parameters) {
    if (name == "constant") return std::make_shared<ConstantSchedule>(parameters);
    if (name == "power") return std::make_shared<PowerSchedule>(parameters);
    if (name == "inverse") return std::make_shared<InverseSchedule>(parameters);
    if (name == "projection") return std::make_shared<ProjectionSchedule>(parameters);
    return nullptr;
}

}  // namespace hardlimit
