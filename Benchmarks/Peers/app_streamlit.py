"""The app that compare.py measures, in Streamlit: an echoed field, a counter and 1,000 rows."""

import os

import streamlit as st

st.title("Counter")
text = st.text_input("Text")
st.text(f"Echo: {text}")
if "count" not in st.session_state:
    st.session_state.count = 0
if st.button("Count"):
    st.session_state.count += 1
st.text(f"Count: {st.session_state.count}")
rows = [f"Row {number}" for number in range(1, 1001)]
match os.environ["PEERS_ROWS"]:
    case "all":
        for row in rows:
            st.text(row)
    case "table":
        st.dataframe({"Row": rows}, hide_index=True)
