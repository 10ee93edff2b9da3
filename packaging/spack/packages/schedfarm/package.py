# The recipe for Spack: spack repo add packaging/spack && spack install schedfarm
# Least versions are those of packaging/dependencies.csv.
from spack.package import *


class Schedfarm(CMakePackage):
    """Experiment farm for parallel job scheduling: campaigns of simulations on MPI ranks, with intervals as short as asked for."""

    homepage = "https://github.com/schedfarm/schedfarm"
    git = "https://github.com/schedfarm/schedfarm.git"

    license("Apache-2.0")

    version("0.1.0", tag="v0.1.0")
    version("main", branch="main")

    variant("figures", default=True, description="What the commands plot and report --format html need")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3.1:")
    depends_on("hdf5@1.10:~mpi")
    depends_on("zlib@1.2:")
    depends_on("boost@1.74:")
    depends_on("fmt@9.1:")
    depends_on("spdlog@1.10:+fmt_external")
    depends_on("nlohmann-json@3.11:")
    depends_on("cctz@2.3:")
    depends_on("yaml-cpp@0.7:")
    depends_on("cli11@2.1:", type="build")
    depends_on("random123@1.14:", type="build")
    conflicts("%gcc@:11")

    with when("+figures"):
        depends_on("python@3.9:", type="run")
        depends_on("py-h5py@3.7:", type="run")
        depends_on("py-numpy@1.21:", type="run")
        depends_on("py-pandas@1.5:", type="run")
        depends_on("py-matplotlib@3.6:", type="run")
        depends_on("py-jinja2@3:", type="run")

    def cmake_args(self):
        return [self.define("SCHEDFARM_TESTS", False)]

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.share.schedfarm.python)
