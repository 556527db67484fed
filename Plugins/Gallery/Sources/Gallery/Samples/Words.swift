import Gangway

struct TextSample: Content {
  var body: some Content {
    // sample: text
    Heading("A heading")
    Text("A paragraph that wraps at the edge of the screen.")
    Divider()
    Text("More, below a line.")
    // end
  }
}

struct FactsSample: Content {
  var body: some Content {
    // sample: facts
    LabeledContent("Size", value: "3 MB")
    LabeledContent("Last change", value: "today").badge("new")
    // end
  }
}

struct MarkdownSample: Content {
  var body: some Content {
    // sample: markdown
    Markdown(
      """
      # Markdown
      With *emphasis*, **strong** words, `code`, [a link](gangway://gallery/list) and [a page](https://www.swift.org).

      - first
        - below it
      - second

      > A quotation.
      """)
    // end
  }
}

struct BannersSample: Content {
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: banners
    Banner(.information, "A new version is available")
    Banner(.success, "Stored", message: "Everything is on disk.")
    Banner(.warning, "Nearly full", message: "Delete files that you don't need.") {
      Button("Delete") { router.tell("Deleted.") }
    }
    Banner(.problem, "Not sent", message: "There is no connection. The message will be sent later.")
    // end
  }
}

struct EmptySample: Content {
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: empty
    Empty("No mail", symbol: "✉", text: "New mail appears here.") {
      Button("Fetch") { router.tell("There is no new mail.") }
    }
    // end
  }
}

struct LogSample: Content {
  let model: SampleModel

  var body: some Content {
    // sample: log
    Log("Output", lines: model.lines)
    Button("Add a line") { model.lines.append("Line \(model.lines.count + 1).") }
    // end
  }
}

struct ProgressSample: Content {
  var body: some Content {
    // sample: progress
    Progress("Copying", fraction: 0.4)
    Progress("Waiting")
    // end
  }
}

struct LoadingSample: Content {
  let model: SampleModel

  var body: some Content {
    // sample: loading
    // model.goods = Loadable { try await fetchGoods() }
    Loading("Loading the goods", model.goods) { goods in
      List(goods) { good in Row(good.id, detail: "\(good.weight) kg") }
    }.refreshable { await model.goods.reload() }
    // end
  }
}

struct WorkSample: Content {
  let model: SampleModel
  let router: Router<GalleryCoordinator>

  var body: some Content {
    // sample: work
    // model.packing = Work()
    Progress("Packing", work: model.packing)
    Button("Pack") {
      try router.start(model.packing) { work in
        for part in 1...20 {
          try await Task.sleep(for: .milliseconds(100))
          work.fraction = Double(part) / 20
        }
        return "Everything is packed."
      }
    }
    // end
  }
}
