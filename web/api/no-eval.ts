// Zod, imported after this, would try `new Function` once, which the content security policy would report as an attack.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export {}
