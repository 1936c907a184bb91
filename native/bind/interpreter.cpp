// What the exit of the interpreter and a fork ask of the compiled part: see unlocked.hpp.
#include <chrono>
#include <thread>

#include "bind/model_lock.hpp"
#include "bind/parts.hpp"
#include "bind/unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

#if defined(__ELF__)
// Public since 3.13 under the first name; looked up at run time, for one file serves all versions.
extern "C" __attribute__((weak)) int Py_IsFinalizing(void);
extern "C" __attribute__((weak)) int _Py_IsFinalizing(void);
#endif

namespace hardlimit {

Interpreter &interpreter = *new Interpreter;

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// A thread that wants the interpreter's lock near the end: long enough for Python to end first,
// short enough for whoever waits for the thread in an exit handler of its own.
constexpr auto patience = 500ms;
constexpr auto pause = 1ms;
// Seconds that the exit and a fork wait for other threads.
constexpr double bound_of_waits = 10;

enum class Gate { open, forking, closing };
std::atomic<Gate> gate{Gate::open};
std::atomic<std::thread::id> keeper;  // the thread that closed the gate

bool is_finalizing() {
#if defined(__ELF__)
    if (Py_IsFinalizing) return Py_IsFinalizing();
    if (_Py_IsFinalizing) return _Py_IsFinalizing();
#endif
    return false;
}

void set_gate(Gate now) {
    if (now != Gate::open) keeper.store(std::this_thread::get_id());
    gate.store(now);
    interpreter.gated.store(now != Gate::open);
}

// Of this thread: it has waited once, and Python did not end.
thread_local bool has_waited = false;

// Without the interpreter's lock. Returns when Python goes on; never where it has ended.
void wait_until_open() {
    const auto begin = Clock::now();
    for (;; std::this_thread::sleep_for(pause)) {
        const Gate now = gate.load();
        if (now == Gate::open) return;
        // Never again: the memory that this thread would return to is gone.
        while (is_finalizing()) std::this_thread::sleep_for(1h);
        // An exit handler may wait for this very thread.
        if (now == Gate::closing && (has_waited || Clock::now() - begin > patience)) {
            has_waited = true;
            return;
        }
    }
}

bool may_pass() { return gate.load() == Gate::open || keeper.load() == std::this_thread::get_id(); }

// Waits until no other thread is at work or holds a model; what is left of the time says whether.
bool wait_until_quiet(double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
        if (interpreter.working == own_stretches &&
            (gate.load() == Gate::closing || !ModelLock::any_held_elsewhere()))
            return true;
        if (Clock::now() > end) return false;
        PyThreadState *state = PyEval_SaveThread();
        std::this_thread::sleep_for(pause);
        PyEval_RestoreThread(state);
    }
}

// Called by atexit: from now on other threads stay away from Python.
void close(double seconds) {
    set_gate(Gate::closing);
    wait_until_quiet(seconds);
    // A thread that ends with the process keeps what it holds, which is no fault of anybody's.
    const nb::object threads = nb::module_::import_("threading").attr("active_count")();
    if (nb::cast<int>(threads) > 1) nb::set_leak_warnings(false);
}

void before_fork(double seconds) {
    wait_at_gate();  // another thread may be forking
    set_gate(Gate::forking);
    wait_until_quiet(seconds);
}

void after_fork_in_parent() { set_gate(Gate::open); }

// The other threads are gone, and what they held with them.
void after_fork_in_child() {
    interpreter.working.store(own_stretches);
    ModelLock::renew_all();
    set_gate(Gate::open);
}

}  // namespace

void wait_at_gate() {
    // Who holds a model finishes the step: the one at the gate waits for exactly that.
    if (may_pass() || (own_locks > 0 && gate.load() == Gate::forking) || own_stretches > 0) return;
    PyThreadState *state = PyEval_SaveThread();
    wait_until_open();
    come_back(state);
}

void wait_for_return() {
    if (may_pass() || gate.load() == Gate::forking) return;
    // Not counted while it waits: the work itself is done.
    --interpreter.working;
    wait_until_open();
    ++interpreter.working;
}

void come_back(PyThreadState *state) {
    // Counted, so that Python does not end between the look at the gate and the return.
    ++interpreter.working;
    if (interpreter.gated) wait_for_return();
    PyEval_RestoreThread(state);
    --interpreter.working;
}

void bind_interpreter(nb::module_ &module) {
    bind_model_lock(module);
    module.def("close", &close, nb::arg("seconds"),
               "At the exit: wait so long for compiled work, and let none begin in other threads.");
    module.def("before_fork", &before_fork, nb::arg("seconds"));
    module.def("after_fork_in_parent", &after_fork_in_parent);
    module.def("after_fork_in_child", &after_fork_in_child);

    // Here and not in Python: whoever loads the compiled part has both.
    nb::module_::import_("atexit").attr("register")(module.attr("close"), bound_of_waits);
    const nb::module_ os = nb::module_::import_("os");
    if (!nb::hasattr(os, "register_at_fork")) return;
    const nb::object bound = nb::module_::import_("functools")
                                 .attr("partial")(module.attr("before_fork"), bound_of_waits);
    os.attr("register_at_fork")("before"_a = bound,
                                "after_in_parent"_a = module.attr("after_fork_in_parent"),
                                "after_in_child"_a = module.attr("after_fork_in_child"));
}

}  // namespace hardlimit
