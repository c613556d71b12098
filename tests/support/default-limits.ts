// Imported before any server code, for tests of the limits that an instance has by default.
for (const name of Object.keys(process.env)) if (/_PER_(MINUTE|DAY)$/.test(name)) delete process.env[name];
