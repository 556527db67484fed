"""The app that compare.py measures, in NiceGUI: an echoed field, a counter and 1,000 rows."""

import os

from nicegui import ui


@ui.page("/")
def counter():
    count = 0

    def add():
        nonlocal count
        count += 1
        number.text = f"Count: {count}"

    ui.label("Counter").classes("text-h4")
    ui.input("Text", on_change=lambda event: echo.set_text(f"Echo: {event.value}"))
    echo = ui.label("Echo: ")
    ui.button("Count", on_click=add)
    number = ui.label("Count: 0")
    rows = [f"Row {number}" for number in range(1, 1001)]
    match os.environ["PEERS_ROWS"]:
        case "all":
            for row in rows:
                ui.label(row)
        case "table":
            columns = [{"name": "row", "label": "Row", "field": "row"}]
            table = ui.table(rows=[{"row": row} for row in rows], columns=columns)
            table.props("virtual-scroll").classes("h-96")


ui.run(host="127.0.0.1", port=int(os.environ["PEERS_PORT"]), title="Counter", reload=False, show=False)
