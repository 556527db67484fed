import GangwayCommand

await Gangway.main(browser: nil)
