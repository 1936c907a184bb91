// Units of work that pass through stages: several threads are at several stages at once, and yet
// every stage meets the units in their order.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "team.hpp"

namespace hardlimit {

class Pipeline {
  public:
    // At a stage one unit is worked at; at a shared one there may be several. At most `most_open`
    // units have begun and not passed the last stage.
    Pipeline(Team &team, const std::vector<bool> &is_shared, std::size_t n_units,
             std::size_t most_open)
        : team_(team), n_units_(n_units), most_open_(most_open) {
        for (const bool shared : is_shared)
            stages_.push_back({shared, 0, 0, std::vector<std::size_t>(most_open)});
    }

    // Calls `work(stage, unit, worker)`. What it throws ends all and is thrown here.
    template <class Work>
    void run(Work &&work) {
        team_.run(std::min(team_.n_workers(), n_units_),
                  [&](std::size_t, std::size_t worker) { serve(work, worker); });
    }

    // Units that have passed all stages; also after an error.
    std::size_t n_passed() const { return stages_.back().n_passed; }

  private:
    struct Stage {
        bool is_shared;
        std::size_t n_begun, n_passed;
        std::vector<std::size_t> passed;  // a unit's number plus one, by its place among the open
    };
    struct Task {
        std::size_t stage, unit;
    };

    template <class Work>
    void serve(Work &work, std::size_t worker) {
        std::unique_lock lock(mutex_);
        try {
            while (!failed_ && n_passed() < n_units_) {
                const std::optional<Task> task = next_task(worker);
                if (!task) {
                    wait(lock, worker);
                    continue;
                }
                ++stages_[task->stage].n_begun;
                lock.unlock();
                work(task->stage, task->unit, worker);
                lock.lock();
                finish(*task);
            }
        } catch (...) {
            if (!lock) lock.lock();
            failed_ = true;
            changed_.notify_all();
            throw;
        }
    }

    // The calling thread begins units, the others end them: what a stage reads stays in one cache.
    std::optional<Task> next_task(std::size_t worker) const {
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const std::size_t stage = worker ? stages_.size() - 1 - i : i;
            if (is_ready(stage)) return Task{stage, stages_[stage].n_begun};
        }
        return {};
    }

    bool is_ready(std::size_t stage) const {
        const Stage &here = stages_[stage];
        const std::size_t unit = here.n_begun;
        if (unit == n_units_ || (!here.is_shared && here.n_passed < unit)) return false;
        if (stage == 0) return unit < n_passed() + most_open_;
        return stages_[stage - 1].passed[unit % most_open_] == unit + 1;
    }

    void finish(Task task) {
        Stage &stage = stages_[task.stage];
        ++stage.n_passed;
        stage.passed[task.unit % most_open_] = task.unit + 1;
        ++n_finished_;
        changed_.notify_all();
    }

    void wait(std::unique_lock<std::mutex> &lock, std::size_t worker) {
        using namespace std::chrono_literals;
        constexpr int patience = 2000;
        const std::size_t before = n_finished_;
        lock.unlock();
        for (int i = 0; i < patience && n_finished_ == before; ++i) relax_processor();
        lock.lock();
        if (n_finished_ != before || failed_) return;
        if (changed_.wait_for(lock, 10ms) == std::cv_status::no_timeout) return;
        lock.unlock();
        if (worker)
            team_.leave_if_stopped();
        else
            team_.look();
        lock.lock();
    }

    Team &team_;
    const std::size_t n_units_, most_open_;
    std::vector<Stage> stages_;
    std::atomic<std::size_t> n_finished_{0};  // stages of units
    bool failed_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace hardlimit
