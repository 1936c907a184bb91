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
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

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

    std::size_t n_workers() const { return n_workers_; }
    bool alone() const { return n_workers_ == 1; }

    // Calls `work(job, worker)` for jobs 0 to n_jobs - 1, each once; the earlier are begun first.
    // Worker 0 is the calling thread. Where jobs throw, the others are stopped, and what the first
    // of those threw is thrown here. Where the system gives no more threads, fewer do the work.
    template <class Work>
    void run(std::size_t n_jobs, Work &&work) {
        const std::size_t n_workers = std::min(n_workers_, n_jobs);
        if (n_workers <= 1) {
            for (std::size_t job = 0; job < n_jobs; ++job) work(job, std::size_t(0));
            return;
        }
        Jobs jobs(n_jobs, *this);
        std::vector<std::thread> threads;
        try {
            threads.reserve(n_workers - 1);
            for (std::size_t worker = 1; worker < n_workers; ++worker)
                threads.emplace_back([&jobs, &work, worker] { jobs.work_off(work, worker); });
        } catch (...) {
            // Those that are there do it, be it this one alone.
        }
        jobs.work_off(work, 0);
        jobs.wait(threads.size());
        for (std::thread &thread : threads) thread.join();
        jobs.rethrow();
    }

    // For the pauses of workers, of all but the calling one.
    void leave_if_stopped() const {
        if (stopped_) throw Stopped();
    }
    void look() const {
        leave_if_stopped();
        if (look_) look_();
    }

  private:
    // What the workers of one run share.
    class Jobs {
      public:
        Jobs(std::size_t n, Team &team) : n_(n), team_(team) { team.stopped_ = false; }

        template <class Work>
        void work_off(Work &work, std::size_t worker) {
            while (!team_.stopped_) {
                const std::size_t job = next_++;
                if (job >= n_) break;
                try {
                    work(job, worker);
                } catch (const Stopped &) {
                    break;
                } catch (...) {
                    note(job, std::current_exception());
                }
            }
            if (!worker) return;
            const std::lock_guard lock(mutex_);
            ++n_done_;
            changed_.notify_one();
        }

        void wait(std::size_t n_threads) {
            using namespace std::chrono_literals;
            std::unique_lock lock(mutex_);
            while (!changed_.wait_for(lock, 10ms, [&] { return n_done_ == n_threads; })) {
                if (team_.stopped_ || !team_.look_) continue;
                lock.unlock();
                try {
                    team_.look_();
                } catch (...) {
                    note(n_, std::current_exception());
                }
                lock.lock();
            }
        }

        void rethrow() {
            team_.stopped_ = false;
            if (error_) std::rethrow_exception(error_);
        }

      private:
        void note(std::size_t job, std::exception_ptr error) {
            const std::lock_guard lock(mutex_);
            team_.stopped_ = true;
            if (error_ && job > failed_) return;
            error_ = std::move(error);
            failed_ = job;
        }

        std::size_t n_;
        Team &team_;
        std::atomic<std::size_t> next_{0};
        std::mutex mutex_;
        std::condition_variable changed_;
        std::size_t n_done_ = 0, failed_ = 0;
        std::exception_ptr error_;
    };

    std::size_t n_workers_ = 1;
    std::function<void()> look_;
    std::atomic<bool> stopped_{false};
};

}  // namespace hardlimit
