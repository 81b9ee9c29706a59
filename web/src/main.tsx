import { render } from 'preact'
import { App } from './app'
import './style/tokens.css'
import './style/base.css'
import './style/controls.css'
import './style/frame.css'
import './style/table.css'
import './style/print.css'

const root = document.getElementById('app')
if (root) render(<App />, root)
