throw new Error('better-sqlite3 is a stub here: its README.md says why')
