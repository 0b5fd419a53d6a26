// Otherwise Zod, which is imported after this, would try `new Function` once. The content security
// policy would report that as an attack.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export {}
