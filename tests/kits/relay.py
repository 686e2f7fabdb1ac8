"""A relay between a bot and the referee: it keeps what both say, and cuts the connection when it is told to."""
import json
import socket
import threading


class Relay:
    def __init__(self, referee):
        self._referee = referee
        self._lines = {"sent": [], "told": []}  # by the bot; to the bot
        self._moves_until_cut = 0  # 0: never
        self._links = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:{}".format(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_after_moves(self, count):
        """Cuts once, when so many moves have come: the last of them doesn't reach the referee."""
        self._moves_until_cut = count

    def sent(self, kind):
        return self._kept("sent", kind)

    def told(self, kind):
        return self._kept("told", kind)

    def close(self):
        self._listener.close()
        self.cut()

    def _kept(self, way, kind):
        messages = [json.loads(line) for line in list(self._lines[way])]
        return [message for message in messages if message["type"] == kind]

    def _accept(self):
        while True:
            try:
                bot, _ = self._listener.accept()
                referee = socket.create_connection(self._referee)
            except OSError:  # closed
                return
            for link in (bot, referee):
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._links += [bot, referee]
            threading.Thread(target=self._carry, args=(bot, referee, "sent"), daemon=True).start()
            threading.Thread(target=self._carry, args=(referee, bot, "told"), daemon=True).start()

    def _carry(self, source, target, way):
        try:
            for line in source.makefile("rb"):
                self._lines[way].append(line)
                if way == "sent" and b'"type":"move"' in line and self._cuts_now():
                    self.cut()
                    return
                target.sendall(line)
        except OSError:  # cut
            pass
        for link in (source, target):
            self._shut(link)

    def _cuts_now(self):
        self._moves_until_cut -= 1
        return self._moves_until_cut == 0

    def cut(self):
        """Cuts what there is now."""
        links, self._links = self._links, []
        for link in links:
            self._shut(link)

    @staticmethod
    def _shut(link):
        try:
            link.shutdown(socket.SHUT_RDWR)
        except OSError:  # it is shut already
            pass
        link.close()
