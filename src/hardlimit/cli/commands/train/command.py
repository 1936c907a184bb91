"""``hardlimit train``: labelled texts in, a model file out."""

from __future__ import annotations

import click

from hardlimit.cli import starts
from hardlimit.cli.choice_options import ChoiceOptions, choice_options
from hardlimit.cli.command import command_of
from hardlimit.cli.options import (
    LayoutOptions,
    Sources,
    as_json,
    jobs,
    layout_options,
    note_option,
    output_option,
    progress_option,
)
from hardlimit.cli.table_options import TableOptions, table_options


@click.argument("words", nargs=-1, required=True, metavar="FILE...")
@output_option("spam.hardlimit", "The model file to write.")
@layout_options(several=True)
@table_options
@click.option(
    "--epochs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Epochs at most. Default: 5 for texts, since more seldom help; 10 for mixed tables; "
    "1000 for numbers, which stop once separated; 1000 iterations for --order batch; "
    "1 with --train-from.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Seed of the order; default 0.",
)
@click.option("--start", metavar="LIST|FILE", help=f"{starts.HELP} {starts.TEXTS}")
@choice_options
@click.option(
    "--multiclass",
    type=click.Choice(["coupled", "ovr"]),
    help="coupled (default): the correct class and its strongest rival are corrected together; "
    "ovr: each class learns alone against the rest.",
)
@click.option(
    "--until",
    type=click.Choice(["separated", "margin", "none"]),
    help="Stop early once reached; default: none for texts, separated for numbers.",
)
@click.option(
    "--features",
    metavar="LIST",
    help="Features of the texts, such as words=1-2,chars=none,hash=20. Default: words=1-2, "
    "chars=2-5 where most texts are under 500 characters (else none), hash=none, tf=sublinear, "
    "idf=smooth, norm=l2, blocks=0.85:0.53, bias=0.1. With blocks=W:C words and characters are "
    "each scaled to length 1 and weighed. Fewer terms: min-df=2, max-df=0.5, max-features=N, "
    "stop-words=english or a FILE of words, vocabulary=FILE, accents=unicode or ascii. "
    "analyzer=char: n-grams of characters across words.",
)
@click.option(
    "--bias-feature",
    "--bias",
    metavar="VALUE",
    help="Of numbers: the constant column that carries the bias, default 1 (of --kernel: none); "
    "none: through the origin.",
)
@click.option(
    "--class-weight",
    metavar="LIST",
    help="Weight of the rows of each class: 'balanced' (rare classes weigh more), or "
    "LABEL=WEIGHT,... Above 1 more rows of the class are found, and more are wrongly taken for it.",
)
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="PART",
    help="Hold out this part of the rows, such as 0.2, and measure the model on it. Equal texts "
    "stay on one side; the saved model is trained on the other rows only.",
)
@click.option(
    "--max-false-positive",
    type=click.FloatRange(0, 1),
    metavar="RATE",
    help="Two classes: choose the decision threshold on held-out rows (--holdout, else a fifth) so "
    "that, with 95 % confidence, at most this part of the other class is taken for the positive.",
)
@click.option(
    "--max-f1",
    is_flag=True,
    default=None,
    help="Choose the decision threshold for the largest F1 of the positive of two classes, or the "
    "largest micro-F1 of several labels, on held-out rows (--holdout, else a fifth).",
)
@click.option(
    "--max-accuracy",
    is_flag=True,
    default=None,
    help="Choose the decision threshold of two classes, or of several labels, for the fewest "
    "errors on held-out rows (--holdout, else a fifth).",
)
@click.option("--positive", metavar="LABEL", help="Which of two classes is the positive one.")
@click.option(
    "--probability",
    is_flag=True,
    default=None,
    help="Also learn what turns scores into probabilities, by a second fit on a part of the rows; "
    "at most twice the time.",
)
@click.option(
    "--shards",
    type=click.IntRange(min=1),
    metavar="N",
    help="Parts of the rows that learn each epoch side by side, by the threads of --jobs, and are "
    "then mixed; default 1. Their number changes the model, that of the threads does not.",
)
@click.option(
    "--mixing",
    type=click.Choice(["auto", "uniform", "mistakes", "inertial", "accelerated"]),
    metavar="NAME",
    help="With --shards: equal shares (uniform); shares in proportion to the corrections of each "
    "shard (mistakes); or equal shares with momentum (inertial; accelerated also moves further "
    "than the mean). Default auto: inertial for rules that require a margin, as "
    "passive-aggressive, uniform for the perceptron.",
)
@click.option(
    "--cluster",
    metavar="WHO",
    help="Learn shards of the files, which are cut where a row ends: threads:N, processes:N, "
    "dask://HOST:PORT, spark://HOST:PORT or sc://HOST:PORT (Spark Connect), whose workers must see "
    "the files too. The model is the same whoever learns.",
)
@click.option(
    "--train-from",
    metavar="MODEL",
    help="Continue training an earlier model on new rows. After many rows its averaged weights "
    "move slowly; with --readout last, corrections act at once.",
)
@click.option(
    "--stream",
    is_flag=True,
    default=None,
    help="Read the rows as they are learnt, for files larger than memory: hashed features "
    "(hash=20, idf=none) and one epoch, unless asked otherwise.",
)
@click.option(
    "--classes",
    metavar="LIST",
    help="With --stream: all classes, as LABEL,LABEL,...; of columns of labels their two values; "
    "default: those of the first 10,000 rows. Needed where the rows are sorted by class.",
)
@click.option(
    "--checkpoint",
    metavar="FILE",
    help="With --stream: write what was learnt so far into this file now and then; with --cluster "
    "into this folder, after an epoch. The same command goes on from there after it was killed, "
    "and ends with the same model.",
)
@click.option(
    "--every",
    type=click.FloatRange(min=0),
    metavar="MINUTES",
    help="Between two checkpoints; default 10.",
)
@progress_option
@click.option(
    "--cache",
    metavar="FILE",
    help="With --stream: where the rows lie for epochs after the first, about half as large as "
    "the texts, with characters larger; removed at the end; default: beside the model.",
)
@note_option
@click.option(
    "--slim",
    is_flag=True,
    help="Save for prediction only, without the training state.",
)
@jobs
@as_json
class TrainOptions(ChoiceOptions, TableOptions, LayoutOptions, Sources):
    """Train a classifier on labelled texts.

    FILE is CSV, TSV, JSON Lines, a folder with a folder per class, or raw mail (mbox, Maildir,
    .eml, tar); numbers come as svmlight or numeric CSV. It may be compressed; '-' is standard
    input. Several files, or a pattern in quotes, are one training set; files and models may be URIs
    (s3://, gs://, az://, https://). Columns with obvious names need no --text and --label.

    \b
      hardlimit train sms.csv --text message --label folder -o spam.hardlimit
      hardlimit train mails.csv --text subject --text body -o spam.hardlimit
      hardlimit train mails/ -o spam.hardlimit --max-false-positive 0.001
      hardlimit train a.csv b.csv.gz 'dump/*.jsonl.gz' -o spam.hardlimit
      hardlimit train 's3://bucket/mails/*.parquet' -o s3://bucket/spam.hardlimit
      hardlimit train ~/Maildir --label-from folder -o spam.hardlimit
      hardlimit train sms.csv --holdout 0.2 --keep all -o spam.hardlimit
      hardlimit train customers.csv --label churned -o churn.hardlimit
      hardlimit train 'dump/*.jsonl.gz' --stream -o topics.hardlimit
      hardlimit train new.csv --train-from spam.hardlimit -o spam.hardlimit
    """

    output: str
    texts: tuple[str, ...]
    epochs: int | None
    seed: int | None
    start: str | None
    multiclass: str | None
    until: str | None
    features: str | None
    bias_feature: str | None
    class_weight: str | None
    holdout: float | None
    max_false_positive: float | None
    max_f1: bool | None
    max_accuracy: bool | None
    positive: str | None
    probability: bool | None
    shards: int | None
    mixing: str | None
    cluster: str | None
    train_from: str | None
    stream: bool | None
    classes: str | None
    checkpoint: str | None
    every: float | None
    progress: str | None
    cache: str | None
    note: str | None
    slim: bool
    jobs: int | None
    as_json: bool


command = command_of(
    "train",
    TrainOptions,
    first="texts label output holdout max_false_positive probability rule features epochs "
    "train_from stream",
)
