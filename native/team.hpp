// Work side by side within one call: threads that end before it returns.
//
// The threads know nothing of Python. The one that calls is among the workers, and the only one
// that looks for signals; a fork and the end of Python wait for its stretch (bind/unlocked.hpp),
// and so for all of them.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "portability.hpp"

namespace hardlimit {

class Team {
  public:
    // Thrown by `leave_if_stopped` in a worker whose team has failed elsewhere.
    struct Stopped {};

    Team() = default;
    // `look` is called now and then by the calling thread while it waits for others; may throw.
    explicit Team(std::size_t n_workers, std::function<void()> look = {})
        : n_workers_(std::max<std::size_t>(1, n_workers)), look_(std::move(look)) {}
    Team(const Team &) = delete;
    Team &operator=(const Team &) = delete;
    ~Team() { end_threads(); }

    std::size_t n_workers() const { return n_workers_; }
    bool alone() const { return n_workers_ == 1; }

    // Calls `work(job, worker)` for jobs 0 to n_jobs - 1, each once; the earlier are begun first.
    // Worker 0 is the calling thread. Where jobs throw, the others are stopped, and what the first
    // of those threw is thrown here. Where the system gives no more threads, fewer do the work.
    // The threads begin with the first jobs and wait for the next ones until `end_threads`.
    template <class Work>
    void run(std::size_t n_jobs, Work &&work) {
        if (n_workers_ == 1 || n_jobs <= 1) {
            for (std::size_t job = 0; job < n_jobs; ++job) work(job, std::size_t(0));
            return;
        }
        task_ = [&work](std::size_t job, std::size_t worker) { work(job, worker); };
        hand_out(n_jobs);
        work_off(0);
        wait_for_others(n_jobs);
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

    // The same without a look at signals: for work that must not stay half done, and never fails.
    template <class Work>
    void run_to_end(std::size_t n_jobs, Work &&work) {
        std::function<void()> look;
        look.swap(look_);
        run(n_jobs, work);
        look.swap(look_);
    }

    void end_threads() {
        if (threads_.empty()) return;
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        begun_.notify_all();
        for (std::thread &thread : threads_) thread.join();
        threads_.clear();
        ending_ = false;
    }

    // The threads end with this.
    struct Gathering {
        explicit Gathering(Team &team) : team(team) {}
        Gathering(const Gathering &) = delete;
        Gathering &operator=(const Gathering &) = delete;
        ~Gathering() { team.end_threads(); }
        Team &team;
    };

    // For the pauses of workers, of all but the calling one.
    void leave_if_stopped() const {
        if (stopped_) throw Stopped();
    }
    void look() const {
        leave_if_stopped();
        if (look_) look_();
    }

  private:
    // The next job in the lower half, the number of the round of jobs in the upper one: who takes
    // a job knows that its round is not over.
    using Ticket = std::uint64_t;
    static constexpr Ticket job_bits = 0xFFFFFFFF;
    // Looks before a waiting thread lies down, some microseconds each: most waits are shorter than
    // waking up takes.
    static constexpr int patience = 64;

    void hand_out(std::size_t n_jobs) {
        // A round without jobs lies between, so that nobody takes one while these numbers change.
        const Ticket closed = (next_ >> 32) + 1;
        next_ = closed << 32 | job_bits;
        n_done_ = 0;
        n_jobs_ = n_jobs;
        {
            const std::lock_guard lock(mutex_);
            next_ = (closed + 1) << 32;
        }
        begun_.notify_all();
        try {
            threads_.reserve(n_workers_ - 1);
            while (threads_.size() < std::min(n_workers_, n_jobs) - 1)
                threads_.emplace_back([this, worker = threads_.size() + 1] { serve(worker); });
        } catch (...) {
            // Those that are there do it, be it this one alone.
        }
    }

    // A thread of the team, from its beginning to its end.
    void serve(std::size_t worker) {
        for (;;) {
            const Ticket round = work_off(worker);
            for (int i = 0; i < patience && next_ >> 32 == round && !ending_; ++i) rest();
            std::unique_lock lock(mutex_);
            begun_.wait(lock, [&] { return ending_ || next_ >> 32 != round; });
            if (ending_) return;
        }
    }

    // Does jobs of one round until all are taken; returns its number.
    Ticket work_off(std::size_t worker) {
        Ticket ticket = next_;
        const Ticket round = ticket >> 32;
        for (;;) {
            const std::size_t job = ticket & job_bits, n_jobs = n_jobs_;
            if (ticket >> 32 != round || job >= n_jobs) return round;
            if (!next_.compare_exchange_weak(ticket, ticket + 1)) continue;
            do_job(job, worker);
            if (++n_done_ == n_jobs && worker) {
                const std::lock_guard lock(mutex_);
                done_.notify_one();
            }
            ticket = next_;
        }
    }

    void do_job(std::size_t job, std::size_t worker) {
        if (stopped_) return;
        try {
            task_(job, worker);
        } catch (const Stopped &) {
        } catch (...) {
            note(job, std::current_exception());
        }
    }

    void wait_for_others(std::size_t n_jobs) {
        using namespace std::chrono_literals;
        for (int i = 0; i < patience && n_done_ != n_jobs; ++i) rest();
        std::unique_lock lock(mutex_);
        while (!done_.wait_for(lock, 10ms, [&] { return n_done_ == n_jobs; })) {
            if (stopped_ || !look_) continue;
            lock.unlock();
            try {
                look_();
            } catch (...) {
                note(n_jobs, std::current_exception());
            }
            lock.lock();
        }
        stopped_ = false;
    }

    void note(std::size_t job, std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        if (error_ && job > failed_) return;
        error_ = std::move(error);
        failed_ = job;
    }

    static void rest() {
        for (int i = 0; i < 32; ++i) relax_processor();
    }

    std::size_t n_workers_ = 1;
    std::function<void()> look_;
    std::vector<std::thread> threads_;
    std::function<void(std::size_t, std::size_t)> task_;
    std::atomic<Ticket> next_{0};
    std::atomic<std::size_t> n_jobs_{0}, n_done_{0};
    std::atomic<bool> stopped_{false}, ending_{false};
    std::mutex mutex_;
    std::condition_variable begun_, done_;
    std::size_t failed_ = 0;
    std::exception_ptr error_;
};

}  // namespace hardlimit
