// The same ground as the app's `ui/frame/styles.ts`, without the component library.
import '../ui/frame/base.css'
import '@mantine/core/styles/baseline.layer.css'
import '@fontsource-variable/source-sans-3/wght.css'
import '../ui/frame/faces/english.css'
