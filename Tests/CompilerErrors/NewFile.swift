// A new file of the feature of Documentation/CompilerErrors.md, for mistakes that the imports of Guests.swift rule out.
import Gangway

// In a file that imports only Gangway
