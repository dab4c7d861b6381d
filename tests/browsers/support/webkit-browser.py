#!/usr/bin/python3
"""A browser of WebKitGTK for its driver: as a person's, with a profile that lasts (argument 1: its folder), or, with
"private" as argument 2, in a private session, which keeps nothing.

MiniBrowser, which the driver starts by itself, keeps nothing in such a session, and there the storage of WebKit locks up
(docs/PERFORMANCE.md, Browsers).
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

profile = sys.argv[1]
stored = WebKit2.WebsiteDataManager(base_data_directory=f"{profile}/data", base_cache_directory=f"{profile}/cache")
private = sys.argv[2:] == ["private"]
context = WebKit2.WebContext.new_ephemeral() if private else WebKit2.WebContext.new_with_website_data_manager(stored)
context.set_automation_allowed(True)


def show(view):
    window = Gtk.Window()
    window.set_default_size(1280, 980)
    window.add(view)
    window.show_all()
    view.connect("close", lambda _: window.destroy())
    view.connect("create", open_from_page)
    return view


def open_from_page(opener, _action):
    """A window that a page opens: of the size that it asks for."""
    view = WebKit2.WebView.new_with_related_view(opener)

    def ready(_view):
        place = view.get_window_properties().get_geometry()
        show(view).get_toplevel().resize(place.width or 1280, place.height or 980)

    view.connect("ready-to-show", ready)
    return view


def open_for_driver(_session):
    return show(WebKit2.WebView(web_context=context, is_controlled_by_automation=True))


def begin(_context, session):
    about = WebKit2.ApplicationInfo.new()
    about.set_name("WebKitGTK")
    about.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(about)
    for kind in ("tab", "window"):
        session.connect(f"create-web-view::{kind}", open_for_driver)


context.connect("automation-started", begin)
Gtk.main()
