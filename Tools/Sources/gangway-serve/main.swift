import GangwayCommand

await Gangway.main(browser: WebServerPart.self)
