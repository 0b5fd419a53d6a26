// Starts with the same base as the app's `components/theme/styles.ts`, but without the component
// library.
import '../components/theme/base.css'
import '@mantine/core/styles/baseline.layer.css'
import '@fontsource-variable/source-sans-3/wght.css'
import '../components/theme/faces/english.css'
