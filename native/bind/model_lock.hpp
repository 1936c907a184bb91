// The lock of a model: many readers or one learner, thread by thread.
//
// Its own fields are read and written under the interpreter's lock alone, so that taking it when
// it is free costs a few comparisons. A learner that comes again in its own thread (a rule that
// turns to the very model it serves) is refused; a reader may read again. Whoever has waited for
// `patience` comes next: nobody starves behind a loop that takes the lock again and again.
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace hardlimit {

class ModelLock {
  public:
    ModelLock();
    ~ModelLock();
    ModelLock(const ModelLock &) = delete;
    ModelLock &operator=(const ModelLock &) = delete;

    void begin_learning() { begin(true); }
    void begin_reading() { begin(false); }
    void end_learning();
    void end_reading();

    // Of all locks of the process.
    static bool any_held_elsewhere();
    static void renew_all();

  private:
    using Clock = std::chrono::steady_clock;
    using Thread = std::thread::id;
    struct Reader {
        Thread thread;
        int depth;
    };
    // On the stack of the thread that waits: whoever rings holds the interpreter's lock, which the
    // thread needs before it can leave.
    struct Waiter {
        Thread thread;
        bool learns;
        Clock::time_point since;
        std::mutex mutex = {};
        std::condition_variable condition = {};
        bool rung = false, given = false;
    };

    static constexpr auto patience = std::chrono::milliseconds(2);

    void begin(bool learns);
    void wait(bool learns);
    bool take(bool learns, Thread me);
    bool is_free(bool learns) const;
    bool must_queue() const;
    void hand_over();
    void leave(Waiter &waiter);
    static void sleep(Waiter &waiter);
    static void ring(Waiter &waiter);
    Reader *find(Thread thread);

    Thread learner_{};  // nobody: the default
    std::vector<Reader> readers_;
    std::deque<Waiter *> queue_;
    bool torn_ = false;  // a fork came in the middle of a step
};

}  // namespace hardlimit
