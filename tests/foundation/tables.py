"""Stand-ins for tables of packages that the tests do not install."""


class PolarsSeries:
    """As polars has it: values, ``to_list``, one dimension."""

    def __init__(self, values):
        self.values, self.shape = values, (len(values),)

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def to_list(self):
        return list(self.values)


class PolarsFrame:
    """As polars has it: it iterates over its columns, which are Series."""

    def __init__(self, data):
        self.data, self.columns = data, list(data)
        self.shape = (len(next(iter(data.values()))), len(data))

    def __iter__(self):
        return map(PolarsSeries, self.data.values())

    def get_column(self, name):
        return PolarsSeries(self.data[name])

    def __array__(self, dtype=None, copy=None):
        import numpy as np

        return np.array(list(self.data.values()), dtype).T


class ArrowScalar:
    """As pyarrow has it: no str."""

    def __init__(self, value):
        self.value = value

    def as_py(self):
        return self.value


class ArrowArray:
    """As pyarrow has it: iterates over scalars that are no Python values."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return map(ArrowScalar, self.values)

    def __len__(self):
        return len(self.values)

    def to_pylist(self):
        return list(self.values)


class ArrowTable:
    """As pyarrow has it: ``columns`` are arrays, ``column_names`` their names."""

    def __init__(self, data):
        self.data, self.column_names = data, list(data)
        self.columns = [ArrowArray(values) for values in data.values()]
        self.shape = (len(next(iter(data.values()))), len(data))

    def column(self, place):
        return self.columns[place]

    def __array__(self, dtype=None, copy=None):
        import numpy as np

        return np.array(list(self.data.values()), dtype).T
