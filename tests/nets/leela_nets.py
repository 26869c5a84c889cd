"""Small Leela networks with random weights, of every architecture: no one else's files are needed here."""

import numpy as np
from numpy.typing import NDArray

from philidor.nets.leela.files import MAGIC
from philidor.nets.leela.messages import (
    Attention,
    ConvBlock,
    Embedding,
    EncoderLayer,
    EngineVersion,
    FeedForward,
    Format,
    Layer,
    Net,
    NetworkFormat,
    PolicyHead,
    PolicyHeads,
    PolicyKind,
    Residual,
    SeUnit,
    Smolgen,
    Structure,
    TrainingParams,
    ValueHead,
    ValueHeads,
    ValueKind,
    WeightCode,
    Weights,
)
from philidor.nets.leela.weights import conv_block, layer_of

FLAT = 1858


class Maker:
    """Makes random layers of a size that keeps numbers near 1 through the network."""

    def __init__(self, seed: int, code: WeightCode = WeightCode.LINEAR16) -> None:
        self._rng = np.random.default_rng(seed)
        self._code = code

    def numbers(self, *shape: int) -> NDArray[np.float32]:
        fan_in = int(np.prod(shape[1:])) if len(shape) > 1 else 9
        return np.asarray(self._rng.normal(size=shape) / np.sqrt(fan_in), dtype=np.float32)

    def layer(self, *shape: int) -> Layer:
        return layer_of(self.numbers(*shape), self._code)

    def norm(self, size: int) -> Layer:
        return layer_of(1 + self.numbers(size) / 3, self._code)

    def conv(self, outputs: int, inputs: int, size: int) -> ConvBlock:
        return conv_block(self.numbers(outputs, inputs, size, size), self.numbers(outputs), self._code)

    def old_conv(self, outputs: int, inputs: int, size: int) -> ConvBlock:
        """A convolution with a batch norm that is not folded."""
        block = self.conv(outputs, inputs, size)
        block.bn_means, block.bn_betas = self.layer(outputs), self.layer(outputs)
        block.bn_gammas = self.norm(outputs)
        block.bn_stddivs = layer_of(0.5 + np.abs(self.numbers(outputs)), self._code)
        return block

    def squeeze(self, filters: int, channels: int) -> SeUnit:
        return SeUnit(
            w1=self.layer(channels, filters),
            b1=self.layer(channels),
            w2=self.layer(2 * filters, channels),
            b2=self.layer(2 * filters),
        )

    def feed_forward(self, size: int, hidden: int) -> FeedForward:
        return FeedForward(self.layer(hidden, size), self.layer(hidden), self.layer(size, hidden), self.layer(size))

    def encoder(self, size: int, width: int, hidden: int, smolgen: Smolgen | None = None) -> EncoderLayer:
        attention = Attention(
            q_w=self.layer(width, size),
            q_b=self.layer(width),
            k_w=self.layer(width, size),
            k_b=self.layer(width),
            v_w=self.layer(width, size),
            v_b=self.layer(width),
            dense_w=self.layer(size, width),
            dense_b=self.layer(size),
            smolgen=smolgen,
        )
        return EncoderLayer(
            mha=attention,
            ln1_gammas=self.norm(size),
            ln1_betas=self.layer(size),
            ffn=self.feed_forward(size, hidden),
            ln2_gammas=self.norm(size),
            ln2_betas=self.layer(size),
        )

    def smolgen(self, size: int, heads: int, channels: int = 4, hidden: int = 10, generated: int = 6) -> Smolgen:
        return Smolgen(
            compress=self.layer(channels, size),
            dense1_w=self.layer(hidden, 64 * channels),
            dense1_b=self.layer(hidden),
            ln1_gammas=self.norm(hidden),
            ln1_betas=self.layer(hidden),
            dense2_w=self.layer(generated * heads, hidden),
            dense2_b=self.layer(generated * heads),
            ln2_gammas=self.norm(generated * heads),
            ln2_betas=self.layer(generated * heads),
        )


def net_of(weights: Weights, form: NetworkFormat | None) -> Net:
    return Net(
        magic=MAGIC,
        license="made by a test",
        min_version=EngineVersion(0, 28, 0),
        format=Format(weights_encoding=WeightCode.LINEAR16, network_format=form),
        training_params=TrainingParams(training_steps=7),
        weights=weights,
    )


def residual_net(
    *,
    seed: int = 1,
    blocks: int = 2,
    filters: int = 16,
    policy: PolicyKind = PolicyKind.CONVOLUTION,
    value: ValueKind = ValueKind.WDL,
    squeeze: bool = True,
    moves_left: bool = True,
    mish: bool = False,
    input_format: int = 1,
    code: WeightCode = WeightCode.LINEAR16,
    folded: bool = True,
) -> Net:
    """A residual tower with the heads of one's choice."""
    make = Maker(seed, code)
    conv = make.conv if folded else make.old_conv
    weights = Weights(input=conv(filters, 112, 3), value=conv(4, filters, 1))
    for _ in range(blocks):
        unit = make.squeeze(filters, 6) if squeeze else None
        weights.residual.append(Residual(conv(filters, filters, 3), conv(filters, filters, 3), unit))
    if policy is PolicyKind.CONVOLUTION:
        weights.policy1, weights.policy = conv(filters, filters, 3), make.conv(80, filters, 3)
    elif policy is PolicyKind.CLASSICAL:
        weights.policy = conv(4, filters, 1)
        weights.ip_pol_w, weights.ip_pol_b = make.layer(FLAT, 256), make.layer(FLAT)
    else:
        add_attention_policy(weights, make, filters)
    outputs = 3 if value is ValueKind.WDL else 1
    weights.ip1_val_w, weights.ip1_val_b = make.layer(12, 256), make.layer(12)
    weights.ip2_val_w, weights.ip2_val_b = make.layer(outputs, 12), make.layer(outputs)
    if moves_left:
        weights.moves_left = conv(3, filters, 1)
        weights.ip1_mov_w, weights.ip1_mov_b = make.layer(8, 192), make.layer(8)
        weights.ip2_mov_w, weights.ip2_mov_b = make.layer(1, 8), layer_of(np.array([0.7]))
    form = NetworkFormat(
        input=input_format,
        output=2 if value is ValueKind.WDL else 1,
        network=Structure.SE_WITH_HEADS if squeeze else Structure.CLASSICAL_WITH_HEADS,
        policy=policy,
        value=value,
        moves_left=int(moves_left),
        default_activation=int(mish),
    )
    return net_of(weights, form)


def add_attention_policy(head: Weights | PolicyHead, make: Maker, size: int, encoders: int = 1) -> None:
    head.ip_pol_w, head.ip_pol_b = make.layer(10, size), make.layer(10)
    head.pol_encoder = [make.encoder(10, 8, 14) for _ in range(encoders)]
    head.pol_headcount = 2
    head.ip2_pol_w, head.ip2_pol_b = make.layer(9, 10), make.layer(9)
    head.ip3_pol_w, head.ip3_pol_b = make.layer(9, 10), make.layer(9)
    head.ip4_pol_w = make.layer(4, 9)


def attention_net(
    *, seed: int = 1, dense: bool = False, smolgen: bool = True, blocks: int = 0, policy_encoders: int = 0
) -> Net:
    """An attention body: embedded by the map of places with one set of heads, or by a dense layer with named heads."""
    make, size, heads, extra = Maker(seed), 12, 3, 5
    inputs = 16 if blocks else 112 + (extra if dense else 64)
    weights = Weights(ip_emb_w=make.layer(size, inputs), ip_emb_b=make.layer(size), headcount=heads)
    if blocks:
        weights.input = make.conv(16, 112, 3)
        weights.residual = [Residual(make.conv(16, 16, 3), make.conv(16, 16, 3)) for _ in range(blocks)]
    weights.ip_mult_gate, weights.ip_add_gate = make.norm(size * 64), make.layer(size, 64)
    unit = make.smolgen(size, heads) if smolgen else None
    weights.encoder = [make.encoder(size, 15, 20, unit) for _ in range(2)]
    if smolgen:
        weights.smolgen_w = make.layer(64 * 64, 6)
    if dense:
        weights.ip_emb_preproc_w, weights.ip_emb_preproc_b = make.layer(64 * extra, 64 * 12), make.layer(64 * extra)
        weights.ip_emb_ln_gammas, weights.ip_emb_ln_betas = make.norm(size), make.layer(size)
        weights.ip_emb_ffn = make.feed_forward(size, 18)
        weights.ip_emb_ffn_ln_gammas, weights.ip_emb_ffn_ln_betas = make.norm(size), make.layer(size)
        weights.policy_heads = PolicyHeads(ip_pol_w=make.layer(10, size), ip_pol_b=make.layer(10))
        weights.policy_heads.vanilla, weights.policy_heads.soft = PolicyHead(), PolicyHead()
        for head in (weights.policy_heads.vanilla, weights.policy_heads.soft):
            add_attention_policy(head, make, size, policy_encoders)
        weights.policy_heads.vanilla.ip_pol_w = weights.policy_heads.vanilla.ip_pol_b = None
        weights.value_heads = ValueHeads(winner=value_head(make, size), q=value_head(make, size))
    else:
        add_attention_policy(weights, make, size, policy_encoders)
        single = value_head(make, size)
        for name in ("ip_val_w", "ip_val_b", "ip1_val_w", "ip1_val_b", "ip2_val_w", "ip2_val_b"):
            setattr(weights, name, getattr(single, name))
    weights.ip_mov_w, weights.ip_mov_b = make.layer(2, size), make.layer(2)
    weights.ip1_mov_w, weights.ip1_mov_b = make.layer(8, 128), make.layer(8)
    weights.ip2_mov_w, weights.ip2_mov_b = make.layer(1, 8), layer_of(np.array([0.7]))
    form = NetworkFormat(
        input=1,
        output=2,
        network=Structure.ATTENTION_MULTIHEAD if dense else Structure.ATTENTION,
        policy=PolicyKind.ATTENTION,
        value=ValueKind.WDL,
        moves_left=1,
        default_activation=1,
        smolgen_activation=7,
        ffn_activation=8,
        input_embedding=Embedding.PE_DENSE if dense else Embedding.PE_MAP,
    )
    return net_of(weights, form)


def value_head(make: Maker, size: int) -> ValueHead:
    return ValueHead(
        ip_val_w=make.layer(4, size),
        ip_val_b=make.layer(4),
        ip1_val_w=make.layer(12, 256),
        ip1_val_b=make.layer(12),
        ip2_val_w=make.layer(3, 12),
        ip2_val_b=make.layer(3),
    )
