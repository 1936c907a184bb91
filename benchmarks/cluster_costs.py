"""What an epoch of shards costs on a cluster, predicted from what was measured on one machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Epoch:
    """What was measured of an epoch: seconds on one core, and bytes.

    learning : of all shards together.    mixing : in the driver.    up : what all shards send
    together.    down : the mixture, which each worker gets.
    """

    learning: float
    mixing: float
    up: float
    down: float


@dataclass(frozen=True)
class Network:
    """bandwidth : of the driver's link, bytes a second.    latency : of a message, seconds."""

    bandwidth: float = 125e6
    latency: float = 1e-3


def epoch_seconds(epoch: Epoch, workers: int, network: Network) -> float:
    """Return how long an epoch takes where each worker is one core and has one shard.

    ::

        learning / workers + mixing + (up + workers * down) / bandwidth + 2 * latency

    The driver's link carries everything: workers that pass the mixture on would take less. No
    worker is slower than another, and none fails.

    >>> one = Epoch(learning=8.0, mixing=0.5, up=1e6, down=1e6)
    >>> epoch_seconds(one, 4, Network(bandwidth=1e6, latency=0.25))
    8.0
    """
    sent = (epoch.up + workers * epoch.down) / network.bandwidth
    return epoch.learning / workers + epoch.mixing + sent + 2 * network.latency
