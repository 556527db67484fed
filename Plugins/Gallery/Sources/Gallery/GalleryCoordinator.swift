import Gangway
import Observation

/// The list of samples, and each sample.
@Observable final class GalleryCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case samples
    case sample(Sample)
  }

  let start = Route.samples
  /// The results of the actions in each sample, by its name.
  var state: [String: SampleModel.Kept] = [:]

  func destination(for route: Route) -> Destination {
    switch route {
    case .samples: .screen { router in SamplesScreen(router: router) }
    case .sample(let sample):
      .screen { router in
        let model = SampleModel(self.state[sample.id] ?? .init()) { [weak self] in self?.state[sample.id] = $0 }
        return SampleScreen(sample: sample, model: model, router: router)
      }
    }
  }
}

/// The groups of samples, in the order of the list.
enum Group: String, CaseIterable {
  case words = "Words"
  case input = "Input"
  case collections = "Collections"
  case figures = "Figures"
  case actions = "Actions"
}

/// A sample of one element, or of several that belong together.
enum Sample: String, CaseIterable, Codable, Hashable, Sendable, Identifiable {
  case text, facts, markdown, banners, empty, log, progress, loading, work
  case fields, numbers, dates, choices, files, form
  case list, selection, tree, table, length, sections, panes, disclosure
  case charts, drawing, image, grid
  case buttons, links, menu, questions, messages, attributes

  var id: String { rawValue }
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  var group: Group {
    switch self {
    case .text, .facts, .markdown, .banners, .empty, .log, .progress, .loading, .work: .words
    case .fields, .numbers, .dates, .choices, .files, .form: .input
    case .list, .selection, .tree, .table, .length, .sections, .panes, .disclosure: .collections
    case .charts, .drawing, .image, .grid: .figures
    case .buttons, .links, .menu, .questions, .messages, .attributes: .actions
    }
  }
}

struct SamplesScreen: Screen {
  let router: Router<GalleryCoordinator>
  var title: String? { "Gallery" }

  var body: some Content {
    for group in Group.allCases {
      Section(group.rawValue) {
        List(Sample.allCases.filter { $0.group == group }) { sample in
          Row(sample.title, to: .sample(sample), in: router)
        }
      }.id(group.rawValue)
    }
  }
}

/// A sample, with its code below.
struct SampleScreen: Screen {
  let sample: Sample
  let model: SampleModel
  let router: Router<GalleryCoordinator>
  var title: String? { sample.title }

  var body: some Content {
    content
    Disclosure("Code") { Markdown("```\n" + (sampleCode[sample] ?? "") + "\n```") }.id("code")
  }

  @ContentBuilder private var content: ContentGroup {
    switch sample {
    case .text: TextSample()
    case .facts: FactsSample()
    case .markdown: MarkdownSample()
    case .banners: BannersSample(router: router)
    case .empty: EmptySample(router: router)
    case .log: LogSample(model: model)
    case .progress: ProgressSample()
    case .loading: LoadingSample(model: model)
    case .work: WorkSample(model: model, router: router)
    case .fields: FieldsSample(model: model)
    case .numbers: NumbersSample(model: model)
    case .dates: DatesSample(model: model)
    case .choices: ChoicesSample(model: model)
    case .files: FilesSample(model: model)
    case .form: FormSample(model: model, router: router)
    case .list: ListSample(router: router)
    case .selection: SelectionSample(model: model)
    case .tree: TreeSample()
    case .table: TableSample(model: model)
    case .length: LengthSample(model: model)
    case .sections: SectionsSample()
    case .panes: PanesSample()
    case .disclosure: DisclosureSample()
    case .charts: ChartsSample()
    case .drawing: DrawingSample()
    case .image: ImageSample()
    case .grid: GridSample(model: model)
    case .buttons: ButtonsSample(model: model)
    case .links: LinksSample(router: router)
    case .menu: MenuSample(router: router)
    case .questions: QuestionsSample(model: model, router: router)
    case .messages: MessagesSample(model: model, router: router)
    case .attributes: AttributesSample(model: model)
    }
  }
}
