// Work without the interpreter's lock, that the end of the interpreter and a fork can wait for.
//
// When Python ends, it frees what other threads work on, and before 3.14 it ends a thread that asks
// for its lock by unwinding, which C++ answers with an abort. When a process forks, a mutex that
// another thread holds stays locked in the child for ever. So stretches of compiled work are
// counted: Python waits for them at its exit and before a fork (interpreter.cpp), and whoever comes
// later waits at the gate.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>

namespace hardlimit {

// What the threads of the process agree on. It is never destroyed: threads outlive the interpreter.
struct Interpreter {
    std::atomic<std::int64_t> working{0};  // stretches of work under way, of all threads
    std::atomic<bool> gated{false};        // forking or ending: new work waits
};
extern Interpreter &interpreter;
// Of this thread: stretches under way, and model locks that it holds.
inline thread_local int own_stretches = 0, own_locks = 0;

// Waits, without the interpreter's lock, as long as this thread may not begin new work.
void wait_at_gate();
// The same for a thread at work that has given the interpreter's lock away and wants it back.
void wait_for_return();
// Takes the interpreter's lock back after a wait that was no work.
void come_back(PyThreadState *state);

// A stretch of compiled work, with or without the interpreter's lock.
class Stretch {
  public:
    Stretch() {
        if (interpreter.gated) wait_at_gate();
        ++interpreter.working;
        ++own_stretches;
    }
    ~Stretch() {
        --own_stretches;
        --interpreter.working;
    }
    Stretch(const Stretch &) = delete;
    Stretch &operator=(const Stretch &) = delete;
};

// In place of nb::gil_scoped_release, which nobody waits for; a test looks for that.
class Unlocked {
  public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    ~Unlocked() {
        if (interpreter.gated) wait_for_return();
        PyEval_RestoreThread(state_);
    }
    Unlocked(const Unlocked &) = delete;
    Unlocked &operator=(const Unlocked &) = delete;

  private:
    Stretch stretch_;  // begins before the lock is given away, and ends after it came back
    PyThreadState *state_;
};

// In place of nb::gil_scoped_acquire, for a call of Python in the middle of such work.
class Relocked {
  public:
    Relocked() {
        if (interpreter.gated) wait_for_return();
        state_ = PyGILState_Ensure();
    }
    ~Relocked() { PyGILState_Release(state_); }
    Relocked(const Relocked &) = delete;
    Relocked &operator=(const Relocked &) = delete;

  private:
    PyGILState_STATE state_;
};

}  // namespace hardlimit
