#include "bind/model_lock.hpp"

#include <algorithm>
#include <set>

#include "bind/parts.hpp"
#include "bind/unlocked.hpp"

namespace nb = nanobind;

namespace hardlimit {
namespace {

// Between two looks at signals, and at the end of Python.
constexpr auto nap = std::chrono::milliseconds(50);

std::set<ModelLock *> &all_locks() {
    static auto *all = new std::set<ModelLock *>;  // never destroyed, as `interpreter`
    return *all;
}

[[noreturn]] void refuse(const char *reason, const char *topic, const char *fix) {
    const nb::object error = nb::module_::import_("hardlimit.exceptions").attr("InputError");
    nb::dict fields;
    fields["topic"] = topic;
    fields["fix"] = fix;
    PyErr_SetObject(error.ptr(), error(reason, **fields).ptr());
    throw nb::python_error();
}

}  // namespace

ModelLock::ModelLock() { all_locks().insert(this); }
ModelLock::~ModelLock() { all_locks().erase(this); }

ModelLock::Reader *ModelLock::find(Thread thread) {
    for (Reader &reader : readers_)
        if (reader.thread == thread) return &reader;
    return nullptr;
}

bool ModelLock::is_free(bool learns) const {
    return learner_ == Thread() && (!learns || readers_.empty());
}

bool ModelLock::take(bool learns, Thread me) {
    if (!is_free(learns)) return false;
    if (learns)
        learner_ = me;
    else
        readers_.push_back({me, 1});
    ++own_locks;
    return true;
}

// Whether somebody has waited so long that who comes now stands in line.
bool ModelLock::must_queue() const {
    return !queue_.empty() && Clock::now() - queue_.front()->since > patience;
}

void ModelLock::begin(bool learns) {
    if (torn_)
        refuse(
            "the process was forked while another thread was learning with this model, and here "
            "its step will never be whole",
            "forked", "load the model from its file here, or fork while nobody learns");
    const Thread me = std::this_thread::get_id();
    if (learner_ == me) refuse("the model is busy: it is learning in this very call", "busy", "");
    if (Reader *mine = readers_.empty() ? nullptr : find(me)) {
        if (learns) refuse("the model is busy: it is answering in this very call", "busy", "");
        ++mine->depth;
        return;
    }
    if (interpreter.gated) wait_at_gate();
    if (must_queue() || !take(learns, me)) wait(learns);
}

void ModelLock::wait(bool learns) {
    Waiter self{std::this_thread::get_id(), learns, Clock::now()};
    queue_.push_back(&self);
    for (;;) {
        sleep(self);
        // Who was in line for long was given it; the others try again, and keep their place.
        if (self.given)
            ++own_locks;
        else if ((queue_.front() == &self || !must_queue()) && take(learns, self.thread))
            leave(self);
        else if (!PyErr_CheckSignals())
            continue;
        else {
            leave(self);
            hand_over();
            throw nb::python_error();
        }
        return;
    }
}

void ModelLock::sleep(Waiter &waiter) {
    PyThreadState *state = PyEval_SaveThread();
    {
        std::unique_lock guard(waiter.mutex);
        waiter.condition.wait_for(guard, nap, [&] { return waiter.rung; });
        waiter.rung = false;
    }
    come_back(state);
}

void ModelLock::ring(Waiter &waiter) {
    const std::lock_guard guard(waiter.mutex);
    waiter.rung = true;
    waiter.condition.notify_one();
}

void ModelLock::leave(Waiter &waiter) { std::erase(queue_, &waiter); }

// Gives the lock to those who have waited too long, in their order; wakes the next to try.
void ModelLock::hand_over() {
    while (must_queue() && is_free(queue_.front()->learns)) {
        Waiter &next = *queue_.front();
        queue_.pop_front();
        if (next.learns)
            learner_ = next.thread;
        else
            readers_.push_back({next.thread, 1});
        next.given = true;
        ring(next);
    }
    for (Waiter *next : queue_) {
        ring(*next);
        if (next->learns) break;
    }
}

void ModelLock::end_learning() {
    --own_locks;
    learner_ = Thread();
    hand_over();
}

void ModelLock::end_reading() {
    Reader *mine = find(std::this_thread::get_id());
    if (!mine || --mine->depth > 0) return;
    --own_locks;
    readers_.erase(readers_.begin() + (mine - readers_.data()));
    hand_over();
}

bool ModelLock::any_held_elsewhere() {
    const Thread me = std::this_thread::get_id();
    for (ModelLock *lock : all_locks()) {
        if (lock->learner_ != Thread() && lock->learner_ != me) return true;
        for (const Reader &reader : lock->readers_)
            if (reader.thread != me) return true;
    }
    return false;
}

// In a forked child: only this thread is left. A step that another one began is torn.
void ModelLock::renew_all() {
    const Thread me = std::this_thread::get_id();
    for (ModelLock *lock : all_locks()) {
        if (lock->learner_ != Thread() && lock->learner_ != me) {
            lock->learner_ = Thread();
            lock->torn_ = true;
        }
        std::erase_if(lock->readers_, [&](const Reader &one) { return one.thread != me; });
        lock->queue_.clear();
    }
}

namespace {

// `with lock.reading:`
struct Reading {
    ModelLock &lock;
};

}  // namespace

void bind_model_lock(nb::module_ &module) {
    const auto none = nb::arg().none();
    nb::class_<Reading>(module, "Reading", "The side of a ModelLock for those who only look.")
        .def("__enter__", [](Reading &self) { self.lock.begin_reading(); })
        .def(
            "__exit__",
            [](Reading &self, nb::handle, nb::handle, nb::handle) { self.lock.end_reading(); },
            none, none, none);
    nb::class_<ModelLock>(module, "ModelLock",
                          "Many readers or one learner: see native/bind/model_lock.hpp.")
        .def(nb::init<>())
        .def("__enter__", &ModelLock::begin_learning)
        .def(
            "__exit__",
            [](ModelLock &self, nb::handle, nb::handle, nb::handle) { self.end_learning(); }, none,
            none, none)
        .def_prop_ro(
            "reading", [](ModelLock &self) { return Reading{self}; }, nb::keep_alive<0, 1>());
}

}  // namespace hardlimit
