//! The functions of `sectile-datafusion`, for DataFusion's Python package. Each is handed over as a capsule.

use std::sync::Arc;

use datafusion_ffi::udf::FFI_ScalarUDF;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sectile_datafusion::Functions;
use sectile_datafusion::datafusion::logical_expr::ScalarUDF;

/// A function, as `datafusion.udf` takes it.
#[pyclass(frozen)]
struct Function(Arc<ScalarUDF>);

#[pymethods]
impl Function {
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    fn __datafusion_scalar_udf__<'py>(
        &self,
        python: Python<'py>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let function = FFI_ScalarUDF::from(Arc::clone(&self.0));
        PyCapsule::new_with_value(python, function, c"datafusion_scalar_udf")
    }
}

/// Returns the functions. They parse files in this process.
#[pyfunction]
fn functions() -> Vec<Function> {
    let functions = Functions::default().all();
    functions.into_iter().map(Function).collect()
}

#[pymodule]
fn _sectile_datafusion(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Function>()?;
    module.add_function(wrap_pyfunction!(functions, module)?)
}
