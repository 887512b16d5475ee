"""What `clew serve` lets in and what it refuses, without a browser."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession, WSServerHandshakeError
from hypothesis import given
from hypothesis import strategies as st
from serving import WAIT_S, Running, close_code, painted, running, seen_by_child

from engine.errors import UsageError
from tui.web.child import clamped
from tui.web.links import Links
from tui.web.server import HEADERS, PAGES, Address

FOREIGN = ["", "null", "https://example.org", "http://localhost:1", "http://127.0.0.1"]
ALLOWED = {
    "PATH", "LANG", "NO_COLOR", "HOME", "TERM", "COLORTERM", "COLUMNS", "ROWS", "TEXTUAL_DRIVER",
    "TEXTUAL_COLOR_SYSTEM", "CLEW_DATA_DIR", "CLEW_CONFIG",
}  # fmt: skip


def served(
    folder: Path, check: Callable[[Running], Awaitable[None]], *names: str, **options: int | float | str
) -> None:
    async def run() -> None:
        async with running(folder, *names, **options) as server:  # type: ignore[arg-type]
            await check(server)

    asyncio.run(run())


async def refusal(session: ClientSession, path: str = "/ws") -> int:
    with pytest.raises(WSServerHandshakeError) as caught:
        await session.ws_connect(path)
    return caught.value.status


# Links and cookies


def test_a_token_is_swapped_once_for_a_strict_cookie(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser() as first, server.browser() as second:
            async with first.post("/join", data=server.tokens["ada"]) as answer:
                cookie = answer.headers["Set-Cookie"]
                assert answer.status == 204
            assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
            assert "Secure" not in cookie and server.tokens["ada"] not in cookie
            async with second.post("/join", data=server.tokens["ada"]) as answer:
                assert answer.status == 403 and "Set-Cookie" not in answer.headers
            assert await refusal(second) == 401
            async with first.post("/join", data=server.tokens["ada"]) as answer:
                assert answer.status == 204, "a link opened again in the same browser goes on"

    served(tmp_path, check)


@pytest.mark.parametrize("token", ["", "x", "ä" * 20, "A" * 22])
def test_a_token_that_was_not_given_out_is_refused(tmp_path: Path, token: str) -> None:
    async def check(server: Running) -> None:
        async with server.browser() as session, session.post("/join", data=token) as answer:
            assert answer.status == 403

    served(tmp_path, check)


def test_a_body_too_long_for_a_token_is_refused(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser() as session, session.post("/join", data="x" * 100_000) as answer:
            assert answer.status == 413

    served(tmp_path, check)


def test_secrets_have_128_bits_and_never_repeat() -> None:
    links = Links(f"player {nth}" for nth in range(200))
    tokens = links.tokens()
    cookies = {links.swap(token) for token in tokens.values()}
    drawn = set(tokens.values()) | cookies
    assert len(drawn) == 400 and all(secret is not None and len(secret) == 22 for secret in drawn)
    assert not any(token in repr(vars(links)) for token in tokens.values()), "only digests are kept"
    assert {links.holder(cookie) for cookie in cookies} == set(tokens)


def test_no_token_and_no_cookie_reaches_a_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    secrets: list[str] = []

    async def check(server: Running) -> None:
        async with server.browser("ada") as session, server.browser() as stranger:
            secrets.extend([*server.tokens.values(), *(one.value for one in session.cookie_jar)])
            async with stranger.post("/join", data=server.tokens["ada"]), session.get("/"):
                pass
            async with session.ws_connect("/ws") as socket:
                await painted(socket)

    served(tmp_path, check)
    written = caplog.text + "".join(capfd.readouterr())
    assert len(secrets) == 2 and not any(secret in written for secret in secrets)


# Origins


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_origin_is_refused_with_the_right_cookie(tmp_path: Path, origin: str) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as ours, server.browser(origin=origin) as foreign:
            foreign.cookie_jar.update_cookies({one.key: one.value for one in ours.cookie_jar})
            assert await refusal(foreign) == 403
            async with foreign.post("/join", data=server.tokens["ben"]) as answer:
                assert answer.status == 403
            async with ours.ws_connect("/ws") as socket:
                await painted(socket)
        async with server.browser("ben"):
            assert server.log()[0] == "started ada", "what was refused used no token and started nothing"

    served(tmp_path, check, "ada", "ben")


def test_a_socket_without_a_cookie_is_refused(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser() as session:
            assert await refusal(session) == 401
        assert server.log() == []

    served(tmp_path, check)


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000", "/"),
        ("https://play.example.org", "https://play.example.org", "/"),
        ("https://Play.example.org:443/clew", "https://play.example.org", "/clew/"),
        ("http://[::1]:9000/a/b/", "http://[::1]:9000", "/a/b/"),
    ],
)
def test_an_address_is_told_as_browsers_tell_it(url: str, origin: str, path: str) -> None:
    assert Address.read(url) == Address(origin=origin, path=path)


@pytest.mark.parametrize("url", ["", "example.org", "ftp://example.org", "http://x:port/", "https://x/?a=1", "http://"])
def test_an_address_that_cannot_be_opened_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="is not usable; give one such as"):
        Address.read(url)


def test_behind_a_proxy_the_public_origin_counts_and_the_cookie_is_secure(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        local = f"http://127.0.0.1:{server.server.port}"
        async with ClientSession(local) as session:
            async with session.post("/join", data=server.tokens["ada"], headers={"Origin": local}) as answer:
                assert answer.status == 403
            public = {"Origin": "https://play.example.org"}
            async with session.post("/join", data=server.tokens["ada"], headers=public) as answer:
                assert {"Secure", "Path=/clew/", "HttpOnly"} <= set(answer.headers["Set-Cookie"].split("; "))

    served(tmp_path, check, public_url="https://play.example.org/clew/")


# Pages and headers


@pytest.mark.parametrize(
    "path", ["/", "/static/page.css", "/static/terminal.js", "/static/none", "/none", "/ws", "/join"]
)
def test_every_answer_has_the_headers(tmp_path: Path, path: str) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.get(path, headers={"Origin": "x"}) as answer:
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS

    served(tmp_path, check)


def test_the_policy_names_no_other_host() -> None:
    policy = dict(part.split(" ", 1) for part in HEADERS["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'"
    assert set(" ".join(policy.values()).split()) <= {"'self'", "'none'"}
    assert HEADERS["Referrer-Policy"] == "no-referrer"


def test_pages_ask_for_relative_addresses_of_this_host_alone(tmp_path: Path) -> None:
    asked = {
        address for page in PAGES.glob("*.html") for address in re.findall(r'(?:src|href)="([^"]*)"', page.read_text())
    }
    assert all(address == "./" or re.fullmatch(r"static/[a-z.]+", address) for address in asked)
    assert not any(re.search(r"https?:|//[a-z]", page.read_text()) for page in PAGES.glob("*.[hc][ts]*"))

    async def check(server: Running) -> None:
        async with server.browser() as session:
            for address in asked - {"./"} | {"static/mono.ttf", "static/mono-italic.ttf"}:
                async with session.get(f"/{address}") as answer:
                    assert answer.status == 200, address

    served(tmp_path, check)


@pytest.mark.parametrize(
    "path", ["/static/", "/static", "/static/..%2fserver.py", "/static/join.html", "/pages/", "/download/x"]
)
def test_nothing_is_listed_and_nothing_else_is_given_out(tmp_path: Path, path: str) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.get(path) as answer:
            assert answer.status == 404

    served(tmp_path, check)


def test_the_page_depends_on_the_cookie(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser() as stranger, stranger.get("/") as answer:
            assert "join.js" in await answer.text()
        async with server.browser("ada") as session, session.get("/") as answer:
            assert "terminal.js" in await answer.text()

    served(tmp_path, check)


# Sessions


def test_when_all_places_are_taken_a_page_says_so_until_one_is_left(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as ada, server.browser("ben") as ben:
            async with ada.ws_connect("/ws") as socket:
                await painted(socket)
                async with ben.get("/") as answer:
                    assert answer.status == 503 and "All places are taken" in await answer.text()
                assert await refusal(ben) == 503
                async with ada.get("/") as answer:
                    assert answer.status == 200, "who plays may reload"
            await server.until_logged("saved ada")
            async with asyncio.timeout(WAIT_S):
                while server.server.sessions.full_for("ben"):
                    await asyncio.sleep(0)
            async with ben.ws_connect("/ws") as socket:
                await painted(socket)

    served(tmp_path, check, "ada", "ben", most=1)


def test_the_child_sees_an_allow_list_and_an_empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "PYTHONPATH", "CLEW_PLAYER", "LD_PRELOAD_X", "XDG_DATA_HOME", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_TIME", "C.UTF-8")
    homes: list[Path] = []

    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.ws_connect("/ws") as socket:
            told = await seen_by_child(socket)
            seen = told["environment"]
            assert seen.keys() - ALLOWED <= {name for name in seen if name.startswith("LC_")}
            assert "LC_TIME" in seen and "secret" not in seen.values()
            assert told["home"] == [] and seen["HOME"] != os.environ.get("HOME")
            assert seen["CLEW_DATA_DIR"] == str(tmp_path / "data")
            homes.append(Path(seen["HOME"]))

    served(tmp_path, check)
    assert not homes[0].exists(), "the home goes with the session"


def test_no_shell_reads_a_name(tmp_path: Path) -> None:
    name = f"$(touch {tmp_path}/made); touch {tmp_path}/made & `id` ' \""

    async def check(server: Running) -> None:
        async with server.browser(name) as session, session.ws_connect("/ws") as socket:
            assert (await seen_by_child(socket))["arguments"][-1] == name

    served(tmp_path, check, name)
    assert not (tmp_path / "made").exists()


@given(st.one_of(st.integers(), st.text(), st.none(), st.floats()), st.one_of(st.integers(), st.text(), st.booleans()))
def test_any_size_is_clamped(columns: object, rows: object) -> None:
    size = clamped(columns, rows)
    assert 20 <= size.columns <= 300 and 10 <= size.rows <= 100


@given(st.integers(20, 300), st.integers(10, 100))
def test_a_size_within_bounds_is_kept(columns: int, rows: int) -> None:
    assert clamped(columns, str(rows)) == (columns, rows)


def test_the_size_is_clamped_at_the_start_and_later(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.ws_connect("/ws?width=999999999&height=-4") as socket:
            seen = (await seen_by_child(socket))["environment"]
            assert (seen["COLUMNS"], seen["ROWS"]) == ("300", "10")
            await socket.send_str(json.dumps(["resize", {"width": 1, "height": 10**9}]))
            assert json.loads((await painted(socket))[1:]) == {"type": "resize", "width": 20, "height": 100}

    served(tmp_path, check)


def test_keys_and_focus_are_handed_on_and_requests_of_the_app_to_the_browser_are_not(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.ws_connect("/ws") as socket:
            await painted(socket)
            for said, heard in ((["stdin", "é\x1b[A"], "Dé\x1b[A"), (["focus"], 'M{"type": "focus"}')):
                await socket.send_str(json.dumps(said))
                assert (await painted(socket)).decode() == heard
            await socket.send_str(json.dumps(["ping", "17"]))
            assert json.loads(await socket.receive_str(timeout=WAIT_S)) == ["pong", "17"]
            await socket.send_str(json.dumps(["stdin", "open an address"]))
            assert await painted(socket) == b"Dopen an address", "neither an address nor a file came before it"

    served(tmp_path, check)


@pytest.mark.parametrize("said", ["", "{", "[]", '["stdin"]', '["stdin", 5]', '["resize", 3]', '["quit"]', "[" * 5000])
def test_what_is_no_message_ends_the_session_in_order(tmp_path: Path, said: str) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.ws_connect("/ws") as socket:
            await painted(socket)
            await socket.send_str(said)
            await close_code(socket)
            assert "saved ada" in server.log()

    served(tmp_path, check)


def test_a_second_window_takes_over_once_the_first_has_saved(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.ws_connect("/ws") as first:
            await painted(first)
            ended = asyncio.ensure_future(close_code(first))
            async with session.ws_connect("/ws") as second:
                await painted(second)
                assert await ended == 1001
                assert server.log() == ["started ada", "ready ada", "saved ada", "started ada", "ready ada"]

    served(tmp_path, check)


def test_apps_start_one_after_the_other(tmp_path: Path) -> None:
    hold = tmp_path / "hold"
    hold.touch()

    async def check(server: Running) -> None:
        async with (
            server.browser("ada") as ada,
            server.browser("ben") as ben,
            ada.ws_connect("/ws") as first,
            ben.ws_connect("/ws") as second,
        ):
            await server.until_logged("started ada")
            for _ in range(3):
                # Long enough for another program to start and end; one for ben would have said that it started.
                await (await asyncio.create_subprocess_exec(sys.executable, "-I", "-c", "")).wait()
            hold.unlink()
            await asyncio.gather(painted(first), painted(second))
            assert server.log() == ["started ada", "ready ada", "started ben", "ready ben"]

    served(tmp_path, check, "ada", "ben")


def test_an_idle_session_ends_saved(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as session, session.ws_connect("/ws") as socket:
            await painted(socket)
            assert await close_code(socket) == 1001
            assert server.log()[-1] == "saved ada"

    served(tmp_path, check, idle_s=0.05)


def test_the_end_of_the_server_ends_all_sessions_saved(tmp_path: Path) -> None:
    async def check(server: Running) -> None:
        async with server.browser("ada") as ada, server.browser("ben") as ben:
            first, second = await ada.ws_connect("/ws"), await ben.ws_connect("/ws")
            await asyncio.gather(painted(first), painted(second))
            await asyncio.gather(server.server.sessions.close(), close_code(first), close_code(second))
            assert {"saved ada", "saved ben"} <= set(server.log())
            assert first.close_code == second.close_code == 1001

    served(tmp_path, check, "ada", "ben")
