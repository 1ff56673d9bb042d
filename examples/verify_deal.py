"""Check the deals of a finished game from its journal alone, without brinkmanship.

It was written from docs/develop/formats.md, section "Fair deals".

python examples/verify_deal.py downloaded.brink

Needs Python 3.11 or later and nothing else. It checks the commitment, the pledges, and that every card, die and coin
follows from the secret and the players' bytes. It does not know the rules of the games: `brink verify` also checks
that the right thing was drawn at the right time. Exit code 0: fair; 1: not fair; 2: the journal cannot be checked.
"""

import hashlib
import hmac
import re
import sys
from math import comb


def names(text):
    """Return the names in a text as a list."""
    return text.split()


AGENDAS = {
    "military_track": 2,
    "political_track": 2,
    "world_opinion_track": 2,
    "turkey": 1,
    "berlin": 1,
    "italy": 1,
    "cuba_political": 1,
    "cuba_military": 1,
    "atlantic": 1,
    "personal_letter": 1,
}
CARDS_OF_13_DAYS = names("""
    speech_to_the_nation the_guns_of_august fifty_fifty sops close_allies intelligence_reports summit_meeting
    to_the_brink nuclear_submarines u_thant containment a_face_saver scramble mathematical_precision excomm
    public_protests lessons_of_munich operation_mongoose air_strike non_invasion_pledge offensive_missiles
    invasion_of_cuba quarantine u2_photographs wave_and_smile eyeball_to_eyeball mrbms_irbms moscow_is_our_brain
    missile_trade fidel_castro berlin_blockade suez_hungary maskirovka bay_of_pigs turn_back_the_ships
    strategic_balance national_liberation u2_downed defensive_missiles
""")
CARDS_OF_13_MINUTES = names("""
    u_thant nuclear_submarines scramble excomm public_protests u2_photographs wave_and_smile quarantine mrbms_irbms
    moscow_is_our_brain fidel_castro strategic_balance u2_downed
""")
EVENTS = names("""
    united_for_ukraine flight_370 runaway_guns isis_crisis svoboda_shakeup paid_demonstrators moldova belarus
    economic_sanctions screwed_thumbs f_eu a_terrible_resolve spontaneous_mobilization_spades
    spontaneous_mobilization_clubs rally_for_the_motherland unit_not_ready
""")
COUNTRY_RANKS = {"US": 3, "PL": 1, "GB": 2, "DE": 2, "FR": 2, "RO": 1, "BY": 1}
BORDER_ZONES = ["CHN", "SUM", "CRI", "KHA", "DON", "LUH"]
MAX_DICE = 30


class UnfairError(Exception):
    """A value does not follow from the numbers that the journal reveals."""


class UncheckableError(Exception):
    """The text is not a journal that can be checked."""


# ---- The journal.


class Entry:
    """A line of the journal: actor, action (its words), audience and comment."""

    def __init__(self, line, number):
        found = re.fullmatch(r"(?:(\d+)\.\s+)?(\w+)\s+([^;{]+)(?:\{([^}]*)\})?\s*(?:;\s*(.*))?", line)
        if not found:
            raise UncheckableError(f"not a journal entry: {line}")
        if found[1] != str(number):
            raise UncheckableError(f"entry {number} is missing; found instead: {line}")
        self.number = number
        self.actor = found[2]
        self.words = found[3].split()
        self.audience = [name.strip() for name in (found[4] or "").split(",")]
        self.comment = found[5] or ""

    def draw(self):
        """Return the number drawn and the count it was drawn from, as in the comment; None without them."""
        found = re.fullmatch(r"drawn (\d+) of (\d+)", self.comment)
        return (int(found[1]), int(found[2])) if found else None

    def side(self):
        """Return the only side that may know this entry."""
        if len(self.audience) != 1:
            raise UncheckableError(f"entry {self.number} does not say who drew")
        return self.audience[0]


def read(text):
    """Return the headers and the entries of a journal."""
    head, _, body = text.replace("\r\n", "\n").lstrip("\ufeff").partition("\n\n")
    headers = {}
    for line in head.split("\n"):
        key, colon, value = line.partition(":")
        if not colon or key in headers:
            raise UncheckableError(f"not a header, or a duplicate: {line}")
        headers[key] = value.strip()
    if headers.get("brinkmanship-journal") != "1":
        raise UncheckableError("not a journal of format 1")
    lines = [line.strip() for line in body.split("\n")]
    if "end" not in lines:
        raise UncheckableError("the journal has been cut off")
    lines = [line for line in lines[: lines.index("end")] if line and not line.startswith(";")]
    return headers, [Entry(line, number) for number, line in enumerate(lines, 1)]


# ---- The key and the draws.


def key_of(headers, sides):
    """Return the key of the game's chance after checking the header's secret, pledges and bytes."""
    if not re.fullmatch("[0-9a-f]{64}", headers.get("deal-secret", "")):
        raise UncheckableError("the secret is not revealed; a table reveals it when its game is over")
    secret = bytes.fromhex(headers["deal-secret"])
    commitment = headers.get("deal-commitment", "")
    if hashlib.sha256(b"brinkmanship deal 1 commitment\n" + secret).hexdigest() != commitment:
        raise UnfairError("the secret is not the one that was committed to")
    version = headers.get("deal-version", "1")
    added = [name for name in headers if name.startswith(("deal-bytes.", "deal-pledge."))]
    if version == "1" and not added:
        return secret
    if version != "2":
        raise UnfairError(f"version {version} with {', '.join(added) or 'nothing'} is unknown")
    shares = ""
    for side in sides:
        contribution = headers.get(f"deal-bytes.{side}", "")
        if contribution != "none":
            if not re.fullmatch("[0-9a-f]{64}", contribution):
                raise UnfairError(f"deal-bytes.{side} is neither 64 hexadecimal digits nor none")
            pledged = f"brinkmanship deal 2 pledge\n{commitment}\n{side}\n{contribution}\n".encode("ascii")
            if hashlib.sha256(pledged).hexdigest() != headers.get(f"deal-pledge.{side}"):
                raise UnfairError(f"the bytes of {side} are not those it pledged")
        shares += f"{side} {contribution}\n"
    if all(headers[f"deal-bytes.{side}"] == "none" for side in sides):
        return secret
    return hmac.digest(secret, f"brinkmanship deal 2 key\n{shares}".encode("ascii"), "sha256")


def number_below(key, place, count):
    """Return the number below `count` that is drawn at a place."""
    limit = 2**256 - 2**256 % count
    attempt = 0
    while True:
        message = f"brinkmanship deal 1 entry {place} attempt {attempt}".encode("ascii")
        number = int.from_bytes(hmac.digest(key, message, "sha256"), "big")
        if number < limit:
            return number % count
        attempt += 1


def outcome_of(outcomes, number):
    """Return the outcome at which the number falls below 0 when the weights are subtracted in order."""
    for outcome, weight in outcomes:
        number -= weight
        if number < 0:
            return outcome
    raise UnfairError("no outcome is left")


# ---- Possible draws. Each game returns its `outcomes` before an entry; `after` updates it with every entry.


def each_once(things, gone=()):
    """Return the things that are not gone, each with weight 1."""
    return [((thing,), 1) for thing in things if thing not in gone]


class ThirteenDays:
    """State of 13 Days: the agenda deck, the deck, the two hands."""

    sides = ("us", "ussr")

    def __init__(self, _options):
        self.dealt, self.used, self.kept = [], [], []
        self.drawn = set()
        self.hands = {side: set() for side in self.sides}

    def outcomes(self, entry):
        kind, what = entry.words
        if kind == "deal":
            left = {name: copies - (self.dealt + self.used).count(name) for name, copies in AGENDAS.items()}
            return [((name,), copies) for name, copies in left.items() if copies > 0]
        if kind == "draw":
            return each_once(CARDS_OF_13_DAYS, self.drawn)
        if kind == "take":
            hand = next((hand for hand in self.hands.values() if what in hand), set())
            return each_once([card for card in CARDS_OF_13_DAYS if card in hand])
        raise UncheckableError(f"entry {entry.number}: {kind} is unknown")

    def after(self, entry):
        kind, what = entry.words[0], entry.words[1] if len(entry.words) > 1 else ""
        if entry.actor == "chance" and kind == "deal":
            self.dealt.append(what)
        elif entry.actor == "chance" and kind == "draw":
            self.drawn.add(what)
            self.hands[entry.side()].add(what)
        elif kind == "keep":
            self.kept.append(what)
        elif kind in ("event", "command", "discard", "take"):
            for hand in self.hands.values():
                hand.discard(what)
        elif kind == "resolve_agendas":
            self.used += self.kept
            self.dealt, self.kept = [], []
        elif kind in ("save_cards", "escalate"):
            for hand in self.hands.values():
                hand.clear()


class ThirteenMinutes:
    """State of 13 Minutes: the pile."""

    sides = ("us", "ussr")

    def __init__(self, _options):
        self.gone = set()

    def outcomes(self, entry):
        if entry.words[0] == "coin":
            return each_once(self.sides)
        if entry.words[0] in ("draw", "turn_up"):
            return each_once(CARDS_OF_13_MINUTES, self.gone)
        raise UncheckableError(f"entry {entry.number}: {entry.words[0]} is unknown")

    def after(self, entry):
        if entry.actor == "chance" and entry.words[0] in ("draw", "turn_up"):
            self.gone.add(entry.words[1])


class UkrainianCrisis:
    """State of Ukrainian Crisis.

    The event deck, the packs and hands of Resource Cards, the country of an attempt, and the zones that joined Russia.
    """

    sides = ("ua", "ru")

    def __init__(self, options):
        self.ordinary = options.get("ordinary_cards") == "true"
        self.pack = {side: self.new_pack() for side in self.sides}
        self.hand = dict.fromkeys(self.sides, 0)
        self.is_reshuffled = False
        self.drawn = set()
        self.country = ""
        self.unions = {frozenset()}
        """All sets of zones that may have joined Russia, given the journal so far."""

    def new_pack(self):
        return {str(rank): 2 for rank in range(1, 10)} if self.ordinary else {"small": 12, "medium": 8, "maximum": 4}

    def outcomes(self, entry):
        kind = entry.words[0]
        if kind == "draw":
            return each_once(EVENTS, self.drawn)
        if kind == "deal":
            self.reshuffle()
            return [((rank,), cards) for rank, cards in self.pack[entry.side()].items() if cards]
        if kind == "roll" and len(entry.words) == 2:
            return each_once("123456")
        if kind == "roll":
            pairs = [(low, high) for high in range(1, 7) for low in range(1, high + 1)]
            return [((str(low), str(high)), 1 if low == high else 2) for low, high in pairs]
        if kind == "sum":
            return self.sums(COUNTRY_RANKS[self.country])
        if kind == "hits":
            _, count = entry.draw() or (0, 0)
            dice = next((dice for dice in range(1, MAX_DICE + 1) if 3**dice == count), None)
            if dice is None:
                raise UncheckableError(f"entry {entry.number} does not say from how many outcomes it was drawn")
            return [((str(hits),), comb(dice, hits) * 2 ** (dice - hits)) for hits in range(dice + 1)]
        if kind == "zone":
            return self.zones(entry)
        raise UncheckableError(f"entry {entry.number}: {kind} is unknown")

    def reshuffle(self):
        if self.ordinary and not self.is_reshuffled and not self.hand["ua"] and sum(self.pack["ua"].values()) < 3:
            self.is_reshuffled = True
            self.pack = {side: self.new_pack() for side in self.sides}

    def sums(self, dice):
        ways = {0: 1}
        for _ in range(dice):
            ways = {
                total: sum(ways.get(total - face, 0) for face in range(1, 7))
                for total in range(min(ways) + 1, max(ways) + 7)
            }
        return [((str(total),), ways[total]) for total in sorted(ways)]

    def zones(self, entry):
        """Return the border zones of which one was named.

        Only the rules determine which zones have joined Russia; here any set of previously named zones is accepted
        that is consistent with the comment.
        """
        number, count = entry.draw() or (0, 1)
        lists = {union: [zone for zone in BORDER_ZONES if zone not in union] for union in self.unions}
        fitting = {
            union for union, zones in lists.items() if len(zones) == count and zones[number:][:1] == entry.words[1:]
        }
        if not fitting:
            raise UnfairError(f"entry {entry.number}: zone {entry.words[1]} does not fit the numbers drawn")
        self.unions = fitting | {union | {entry.words[1]} for union in fitting}
        return each_once(lists[min(fitting, key=sorted)])

    def after(self, entry):
        kind = entry.words[0]
        if entry.actor == "chance" and kind == "draw":
            self.drawn.add(entry.words[1])
        elif entry.actor == "chance" and kind == "deal":
            self.reshuffle()
            self.pack[entry.side()][entry.words[1]] -= 1
            self.hand[entry.side()] += 1
        elif kind == "zone":
            self.unions |= {union | {entry.words[1]} for union in self.unions}
        elif kind == "reshuffle":
            self.drawn.discard("a_terrible_resolve")
        elif kind == "place" and entry.actor in self.sides:
            self.place(entry.actor, entry.words[1:])
        elif kind in ("up", "down"):
            self.country = entry.words[1]

    def place(self, side, ranks):
        if self.hand[side]:
            self.hand[side] -= len(ranks)
            return
        for rank in ranks:
            self.pack[side][rank] -= 1


GAMES = {"13-days": ThirteenDays, "13-minutes": ThirteenMinutes, "ukrainian-crisis": UkrainianCrisis}


# ---- The check.


def verify(text):
    """Check a journal and return the number of draws checked.

    Raises:
        UnfairError: a value does not follow from the numbers that the journal reveals.
        UncheckableError: the journal cannot be checked.
    """
    headers, entries = read(text)
    if headers.get("game") not in GAMES:
        raise UncheckableError(f"the game {headers.get('game')} is unknown; known are {', '.join(GAMES)}")
    if "cards" in headers:
        raise UncheckableError("the game was played with a custom data file; this program knows only the standard ones")
    options = {key.removeprefix("option."): value for key, value in headers.items() if key.startswith("option.")}
    game = GAMES[headers["game"]](options)
    key = key_of(headers, game.sides)
    given = int(headers.get("given", "0"))
    checked = 0
    for entry in entries:
        if entry.words[-1] == "?":
            raise UncheckableError(f"entry {entry.number} is hidden: the journal was made for one reader")
        if entry.actor == "chance" and entry.number > given:
            check(entry, game.outcomes(entry), key)
            checked += 1
        game.after(entry)
    return checked


def check(entry, outcomes, key):
    """Check one draw."""
    count = sum(weight for _, weight in outcomes)
    number = number_below(key, entry.number - 1, count) if len(outcomes) > 1 else 0
    right = outcome_of(outcomes, number)
    if tuple(entry.words[1:]) != right:
        raise UnfairError(f"entry {entry.number} is {' '.join(entry.words)}, but should be {' '.join(right)}")
    if entry.draw() not in (None, (number, count)):
        raise UnfairError(f"entry {entry.number} says {entry.comment}, but it was {number} of {count}")


def main():
    """Check the journal named on the command line and return the exit code."""
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            checked = verify(file.read())
    except UnfairError as error:
        print(f"{sys.argv[1]}: NOT FAIR: {error}", file=sys.stderr)
        return 1
    except (UncheckableError, OSError, UnicodeDecodeError) as error:
        print(f"{sys.argv[1]}: cannot be checked: {error}", file=sys.stderr)
        return 2
    print(f"{sys.argv[1]}: all {checked} draws follow from the secret and the bytes of the players")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python verify_deal.py JOURNAL")
    sys.exit(main())
