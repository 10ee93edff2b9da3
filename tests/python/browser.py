"""Debian's Chromium, headless, driven by its chromedriver over HTTP (WebDriver). Nothing but the standard library."""
import base64
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-prefers-reduced-motion")


def is_installed():
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


class Browser:
    """One session; `log()` has what the console and the network said since it was last read."""

    def __init__(self, scripts=True):
        self._profile = tempfile.TemporaryDirectory(prefix="schedfarm-browser-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._base = f"http://127.0.0.1:{port}"
        options = {"args": [*FLAGS, f"--user-data-dir={self._profile.name}"],
                   "prefs": {} if scripts else {"profile.managed_default_content_settings.javascript": 2}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self._session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}}, attempts=100)["sessionId"]

    def close(self):
        try:
            self._ask("DELETE", f"/session/{self._session}")
        finally:
            self._driver.terminate()
            self._driver.wait()
            self._profile.cleanup()

    def open(self, path):
        self._do("POST", "/url", {"url": pathlib.Path(path).resolve().as_uri()})

    def run(self, script, *arguments):
        return self._do("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        return self._do("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def develop(self, command, **parameters):
        """A command of Chromium's protocol for developers."""
        return self._do("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def console(self):
        return [entry["message"] for entry in self._do("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """The addresses that were asked for."""
        entries = [json.loads(entry["message"])["message"] for entry in self._do("POST", "/se/log", {"type": "performance"})]
        return [entry["params"]["request"]["url"] for entry in entries if entry["method"] == "Network.requestWillBeSent"]

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self._do("GET", "/screenshot")))

    def _do(self, method, path, body=None):
        return self._ask(method, f"/session/{self._session}{path}", body)

    def _ask(self, method, path, body=None, attempts=1):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"}, method=method)
        for attempt in range(attempts):
            try:
                with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
                    return json.load(answer)["value"]
            except urllib.error.HTTPError as error:
                raise RuntimeError(error.read().decode()) from error
            except urllib.error.URLError:
                if attempt == attempts - 1:
                    raise
                time.sleep(0.1)
