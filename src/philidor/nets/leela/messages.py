"""The messages of Leela's weight files: names and numbers as in lczero-common's net.proto."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from philidor.nets.protobuf import Kind, Message, proto, repeated


class Structure(IntEnum):
    """The architecture of a network."""

    UNKNOWN = 0
    CLASSICAL = 1
    SE = 2
    CLASSICAL_WITH_HEADS = 3
    SE_WITH_HEADS = 4
    ONNX = 5
    ATTENTION = 6
    ATTENTION_MULTIHEAD = 7
    ATTENTION_MULTIHEAD_LEGACY = 134


class PolicyKind(IntEnum):
    """The policy head."""

    UNKNOWN = 0
    CLASSICAL = 1
    CONVOLUTION = 2
    ATTENTION = 3


class ValueKind(IntEnum):
    """The value head."""

    UNKNOWN = 0
    CLASSICAL = 1
    WDL = 2
    PARAM = 3


class Activation(IntEnum):
    """An activation function; DEFAULT is the one of the whole network."""

    DEFAULT = 0
    MISH = 1
    RELU = 2
    NONE = 3
    TANH = 4
    SIGMOID = 5
    SELU = 6
    SWISH = 7
    RELU_2 = 8
    SOFTMAX = 9


class Embedding(IntEnum):
    """How squares know where they are."""

    NONE = 0
    PE_MAP = 1
    PE_DENSE = 2


class WeightCode(IntEnum):
    """How the numbers of a layer are written."""

    UNKNOWN = 0
    LINEAR16 = 1
    FLOAT16 = 2
    BFLOAT16 = 3
    FLOAT32 = 4


@dataclass
class Layer(Message):
    """An array of numbers without its shape."""

    min_val: float | None = proto(1, Kind.FLOAT)
    max_val: float | None = proto(2, Kind.FLOAT)
    params: bytes | None = proto(3, Kind.BYTES)
    encoding: int | None = proto(4, Kind.INT)
    dims: list[int] = repeated(5, Kind.INT)


def _layer(number: int) -> Layer | None:
    declared: Layer | None = proto(number, Kind.MESSAGE, Layer)
    return declared


@dataclass
class ConvBlock(Message):
    """A convolution with its batch norm."""

    weights: Layer | None = _layer(1)
    biases: Layer | None = _layer(2)
    bn_means: Layer | None = _layer(3)
    bn_stddivs: Layer | None = _layer(4)
    """Variances, whatever the name says."""
    bn_gammas: Layer | None = _layer(5)
    bn_betas: Layer | None = _layer(6)


@dataclass
class SeUnit(Message):
    """Squeeze and excitation: two dense layers."""

    w1: Layer | None = _layer(1)
    b1: Layer | None = _layer(2)
    w2: Layer | None = _layer(3)
    b2: Layer | None = _layer(4)


@dataclass
class Residual(Message):
    """A block of the tower."""

    conv1: ConvBlock | None = proto(1, Kind.MESSAGE, ConvBlock)
    conv2: ConvBlock | None = proto(2, Kind.MESSAGE, ConvBlock)
    se: SeUnit | None = proto(3, Kind.MESSAGE, SeUnit)


@dataclass
class Smolgen(Message):
    """Attention logits made from the whole board."""

    compress: Layer | None = _layer(1)
    dense1_w: Layer | None = _layer(2)
    dense1_b: Layer | None = _layer(3)
    ln1_gammas: Layer | None = _layer(4)
    ln1_betas: Layer | None = _layer(5)
    dense2_w: Layer | None = _layer(6)
    dense2_b: Layer | None = _layer(7)
    ln2_gammas: Layer | None = _layer(8)
    ln2_betas: Layer | None = _layer(9)


@dataclass
class Attention(Message):
    """Multi-head attention."""

    q_w: Layer | None = _layer(1)
    q_b: Layer | None = _layer(2)
    k_w: Layer | None = _layer(3)
    k_b: Layer | None = _layer(4)
    v_w: Layer | None = _layer(5)
    v_b: Layer | None = _layer(6)
    dense_w: Layer | None = _layer(7)
    dense_b: Layer | None = _layer(8)
    smolgen: Smolgen | None = proto(9, Kind.MESSAGE, Smolgen)
    rpe_q: Layer | None = _layer(10)
    rpe_k: Layer | None = _layer(11)
    rpe_v: Layer | None = _layer(12)


@dataclass
class FeedForward(Message):
    """Two dense layers."""

    dense1_w: Layer | None = _layer(1)
    dense1_b: Layer | None = _layer(2)
    dense2_w: Layer | None = _layer(3)
    dense2_b: Layer | None = _layer(4)


@dataclass
class EncoderLayer(Message):
    """A layer of a transformer."""

    mha: Attention | None = proto(1, Kind.MESSAGE, Attention)
    ln1_gammas: Layer | None = _layer(2)
    ln1_betas: Layer | None = _layer(3)
    ffn: FeedForward | None = proto(4, Kind.MESSAGE, FeedForward)
    ln2_gammas: Layer | None = _layer(5)
    ln2_betas: Layer | None = _layer(6)


@dataclass
class PolicyHead(Message):
    """A policy head of any kind."""

    ip_pol_w: Layer | None = _layer(1)
    ip_pol_b: Layer | None = _layer(2)
    ip2_pol_w: Layer | None = _layer(3)
    ip2_pol_b: Layer | None = _layer(4)
    ip3_pol_w: Layer | None = _layer(5)
    ip3_pol_b: Layer | None = _layer(6)
    ip4_pol_w: Layer | None = _layer(7)
    pol_encoder: list[EncoderLayer] = repeated(8, Kind.MESSAGE, EncoderLayer)
    pol_headcount: int | None = proto(9, Kind.INT)
    policy1: ConvBlock | None = proto(10, Kind.MESSAGE, ConvBlock)
    policy: ConvBlock | None = proto(11, Kind.MESSAGE, ConvBlock)


@dataclass
class ValueHead(Message):
    """A value head of any kind; the error and categorical outputs are for training only."""

    ip_val_w: Layer | None = _layer(1)
    ip_val_b: Layer | None = _layer(2)
    ip1_val_w: Layer | None = _layer(3)
    ip1_val_b: Layer | None = _layer(4)
    ip2_val_w: Layer | None = _layer(5)
    ip2_val_b: Layer | None = _layer(6)
    ip_val_err_w: Layer | None = _layer(7)
    ip_val_err_b: Layer | None = _layer(8)
    ip_val_cat_w: Layer | None = _layer(9)
    ip_val_cat_b: Layer | None = _layer(10)
    value: ConvBlock | None = proto(11, Kind.MESSAGE, ConvBlock)


@dataclass
class PolicyHeadEntry(Message):
    """A policy head with a name of its own."""

    key: str | None = proto(1, Kind.TEXT)
    value: PolicyHead | None = proto(2, Kind.MESSAGE, PolicyHead)


@dataclass
class PolicyHeads(Message):
    """The policy heads of a multi-head network; the embedding is shared by those without their own."""

    ip_pol_w: Layer | None = _layer(1)
    ip_pol_b: Layer | None = _layer(2)
    vanilla: PolicyHead | None = proto(3, Kind.MESSAGE, PolicyHead)
    optimistic_st: PolicyHead | None = proto(4, Kind.MESSAGE, PolicyHead)
    soft: PolicyHead | None = proto(5, Kind.MESSAGE, PolicyHead)
    opponent: PolicyHead | None = proto(6, Kind.MESSAGE, PolicyHead)
    policy_head_map: list[PolicyHeadEntry] = repeated(7, Kind.MESSAGE, PolicyHeadEntry)


@dataclass
class ValueHeadEntry(Message):
    """A value head with a name of its own."""

    key: str | None = proto(1, Kind.TEXT)
    value: ValueHead | None = proto(2, Kind.MESSAGE, ValueHead)


@dataclass
class ValueHeads(Message):
    """The value heads of a multi-head network."""

    winner: ValueHead | None = proto(1, Kind.MESSAGE, ValueHead)
    q: ValueHead | None = proto(2, Kind.MESSAGE, ValueHead)
    st: ValueHead | None = proto(3, Kind.MESSAGE, ValueHead)
    value_head_map: list[ValueHeadEntry] = repeated(4, Kind.MESSAGE, ValueHeadEntry)


@dataclass
class Weights(Message):
    """All numbers of a network."""

    input: ConvBlock | None = proto(1, Kind.MESSAGE, ConvBlock)
    residual: list[Residual] = repeated(2, Kind.MESSAGE, Residual)
    policy: ConvBlock | None = proto(3, Kind.MESSAGE, ConvBlock)
    ip_pol_w: Layer | None = _layer(4)
    ip_pol_b: Layer | None = _layer(5)
    value: ConvBlock | None = proto(6, Kind.MESSAGE, ConvBlock)
    ip1_val_w: Layer | None = _layer(7)
    ip1_val_b: Layer | None = _layer(8)
    ip2_val_w: Layer | None = _layer(9)
    ip2_val_b: Layer | None = _layer(10)
    policy1: ConvBlock | None = proto(11, Kind.MESSAGE, ConvBlock)
    moves_left: ConvBlock | None = proto(12, Kind.MESSAGE, ConvBlock)
    ip1_mov_w: Layer | None = _layer(13)
    ip1_mov_b: Layer | None = _layer(14)
    ip2_mov_w: Layer | None = _layer(15)
    ip2_mov_b: Layer | None = _layer(16)
    ip2_pol_w: Layer | None = _layer(17)
    ip2_pol_b: Layer | None = _layer(18)
    ip3_pol_w: Layer | None = _layer(19)
    ip3_pol_b: Layer | None = _layer(20)
    pol_encoder: list[EncoderLayer] = repeated(21, Kind.MESSAGE, EncoderLayer)
    ip4_pol_w: Layer | None = _layer(22)
    pol_headcount: int | None = proto(24, Kind.INT)
    ip_emb_w: Layer | None = _layer(25)
    ip_emb_b: Layer | None = _layer(26)
    encoder: list[EncoderLayer] = repeated(27, Kind.MESSAGE, EncoderLayer)
    headcount: int | None = proto(28, Kind.INT)
    ip_val_w: Layer | None = _layer(29)
    ip_val_b: Layer | None = _layer(30)
    ip_mov_w: Layer | None = _layer(31)
    ip_mov_b: Layer | None = _layer(32)
    ip_mult_gate: Layer | None = _layer(33)
    ip_add_gate: Layer | None = _layer(34)
    smolgen_w: Layer | None = _layer(35)
    smolgen_b: Layer | None = _layer(36)
    ip_emb_preproc_w: Layer | None = _layer(37)
    ip_emb_preproc_b: Layer | None = _layer(38)
    ip_emb_ln_gammas: Layer | None = _layer(39)
    ip_emb_ln_betas: Layer | None = _layer(40)
    ip_emb_ffn: FeedForward | None = proto(41, Kind.MESSAGE, FeedForward)
    ip_emb_ffn_ln_gammas: Layer | None = _layer(42)
    ip_emb_ffn_ln_betas: Layer | None = _layer(43)
    value_heads: ValueHeads | None = proto(44, Kind.MESSAGE, ValueHeads)
    policy_heads: PolicyHeads | None = proto(45, Kind.MESSAGE, PolicyHeads)


@dataclass
class TrainingParams(Message):
    """What the trainer wrote down."""

    training_steps: int | None = proto(1, Kind.INT)
    learning_rate: float | None = proto(2, Kind.FLOAT)
    mse_loss: float | None = proto(3, Kind.FLOAT)
    policy_loss: float | None = proto(4, Kind.FLOAT)
    accuracy: float | None = proto(5, Kind.FLOAT)
    lc0_params: str | None = proto(6, Kind.TEXT)


@dataclass
class NetworkFormat(Message):
    """What kinds of parts the network has."""

    input: int | None = proto(1, Kind.INT)
    output: int | None = proto(2, Kind.INT)
    network: int | None = proto(3, Kind.INT)
    policy: int | None = proto(4, Kind.INT)
    value: int | None = proto(5, Kind.INT)
    moves_left: int | None = proto(6, Kind.INT)
    default_activation: int | None = proto(7, Kind.INT)
    smolgen_activation: int | None = proto(8, Kind.INT)
    ffn_activation: int | None = proto(9, Kind.INT)
    input_embedding: int | None = proto(10, Kind.INT)


@dataclass
class Format(Message):
    """How the weights are written, and the network's format."""

    weights_encoding: int | None = proto(1, Kind.INT)
    network_format: NetworkFormat | None = proto(2, Kind.MESSAGE, NetworkFormat)


@dataclass
class EngineVersion(Message):
    """The oldest lc0 that can read the file."""

    major: int | None = proto(1, Kind.INT)
    minor: int | None = proto(2, Kind.INT)
    patch: int | None = proto(3, Kind.INT)


@dataclass
class OnnxModel(Message):
    """A network that is an ONNX model already."""

    model: bytes | None = proto(1, Kind.BYTES)
    data_type: int | None = proto(2, Kind.INT)
    input_planes: str | None = proto(3, Kind.TEXT)
    output_value: str | None = proto(4, Kind.TEXT)
    output_wdl: str | None = proto(5, Kind.TEXT)
    output_policy: str | None = proto(6, Kind.TEXT)
    output_mlh: str | None = proto(7, Kind.TEXT)


@dataclass
class Net(Message):
    """A weight file."""

    magic: int | None = proto(1, Kind.FIXED32)
    license: str | None = proto(2, Kind.TEXT)
    min_version: EngineVersion | None = proto(3, Kind.MESSAGE, EngineVersion)
    format: Format | None = proto(4, Kind.MESSAGE, Format)
    training_params: TrainingParams | None = proto(5, Kind.MESSAGE, TrainingParams)
    weights: Weights | None = proto(10, Kind.MESSAGE, Weights)
    onnx_model: OnnxModel | None = proto(11, Kind.MESSAGE, OnnxModel)
