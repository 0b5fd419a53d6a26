// Separate from the theme, because the build needs these colors for the manifest, without Mantine.

export const lightColors = {
  ground: '#FAF9F6',
  card: '#FFFFFF',
  hairline: '#E7E3DA',
  text: '#1B1F1E',
  quiet: '#5C635F',
}
export const darkColors = {
  ground: '#141716',
  card: '#1C201F',
  hairline: '#2C3230',
  text: '#ECEBE6',
  quiet: '#A8AEA9',
}
